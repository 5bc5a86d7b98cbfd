"""Plays duels: who is asked what and when, how long it may take, and who is to blame.

Theory of operation. Two entrants, A and B, meet in a *session*. Every duel is a match in each room
on the same deals: in a game of two sides A sits North-South in the open room and East-West in the
closed one; `referee.engine.seating` has the rooms of the other games. A session plays one *room*
after the other: all matches of the first, by as many processes as there are seats (a `Place` each),
and when these are gone, all matches of the next, by others. So no process ever sees one deal from
two seats, and nothing that is known of a deal in one room can reach another one.

A room never waits. It is notified that a bot is ready (`joined`), has answered (`answered`),
has broken a rule (`failed`) or was lost (`lost`), and, every few milliseconds, of the time
(`tick`). It speaks to bots through the port `Player` and hands each finished match to a function,
the session's, which hands on each finished duel. So they run without a process, a socket or a
clock of their own, and their tests do.

Asking. A decision that is due waits in its place's queue. One place at a time is sent all of its
queue as one *frame* (`ask_due`): the one with most to decide, once every turn of the frame before
is settled. So frames grow with the load by themselves, the matches of a room come round the seats
in waves, and no bot thinks while another of its session does.

Clocks. A frame of one turn has the decision limit. In a frame of several, each piece of the answer
must come within the limit and a little grace after the piece before it. Time in which a process
could have run but got no processor is given back, and so is time by which the referee itself was
late; if a limit is overrun while the referee was badly late, the duel is void.

Blame. A fault costs the match it happened in, and nothing else. Where a message names the turn,
that is known. Where a process dies or falls silent with several turns open, it is started again and
asked them one at a time, and its answers are withheld: each that fails again is at fault, once; if
none is, the first in the order of duels. A sandbox that was killed from outside is nobody's fault:
its matches in progress are void. So is a match in which the rules cannot go on, as those of a game
from a program may not.

Starting again. A new process knows nothing of the matches in play, so it is asked again what its
seat was asked in a match before the turn that is due there; its answers to that are dropped. A
match is opened to a process with its first turn. An entrant whose process fails several times in a
row before it has decided anything never started, which ends the session. A place that is started
again too often, or for too long, ends its room: what is open there is dropped, and is to be played
in another session.

============  ===================================================================================
`session`     the duels of a session, and its rooms, one after the other
`room`        what happens at the four places of a room, and what that costs
`place`       one process at its seat: what it is asked, and what it has to be asked again
`open_turns`  which turns are open, and whether an answer answers one of them
`clock`       how long a process takes, what is given back to it, and whether it is overdue
`open_match`  a match in play: its state, its banks, its record
`player`      the port through which a session speaks to a process
`duel`        a duel before it is played, and after
`fault`       the kinds of fault, and the words for them
`limits`      what a session is played on: game, time limits, policy
============  ===================================================================================

`open_turns`, `clock` and `fault` also judge a bot that is examined outside of any session.
"""
