"""Starts a bot in a sandbox of its own, holds it to its limits, and says how it ended.

Theory of operation. A bot is hostile until proven otherwise, and its partner at the table is the
one it most wants to reach. So every bot runs under bubblewrap with namespaces, a root directory, a
uid and a control group of its own, and shares with others only trees it can read (its `Runtime`)
and the machine itself. `Sandboxes` opens what all have in common and starts each `Sandbox` from a
`Launch`; `doctor` runs a probe through the same door, because a guarantee is believed only after
it was tried.

Starting. Nothing runs between the referee and bubblewrap. The referee starts `bwrap --args FD` with
the read end of a pipe that is still empty, so bubblewrap waits; meanwhile its limits, priority,
core and control group are set from outside. Only then are the arguments written, and everything
bubblewrap starts is born under them. The arguments never stand on a command line, which the bot
could read. What must happen inside happens there: giving up the last capabilities for the seat's
own uid (`setpriv`), and the limit of processes, which counts per uid and namespace (`prlimit`).

Modes. As root, bubblewrap binds the trees and the bot drops to a uid of its own (`root`). With
subordinate uids a user does the very same inside a user namespace (`subuid`). Else the bot runs
as the user's own uid, mapped to another (`userns`): the namespaces and the filter still hold, but
the kernel no longer tells the bot from its neighbours by uid.

Watching. The kernel holds a bot to most limits by itself, and best where it has a control group.
The rest is looked after by one task for all sandboxes: floods of output, the CPU time of all
processes together and, where there is no group, their number and their memory.

Ending. bubblewrap tells on a pipe with which code the bot ended. Such a record means that the bot
ended by itself or by a limit, and is answerable; no record means that the sandbox was killed or
never came up, and nobody at the table is. The descriptor of the process (`pidfd`) becomes readable
at its death, so an ending is known at once and without a thread.

Stopping. Killing the sandbox's first process makes the kernel kill all others in its namespace,
whatever they ignore or have detached themselves from. A referee that is itself killed takes its
sandboxes along: bubblewrap dies with the thread that started it, which is why all of this runs in
the main thread, and a mourner finds those it could not yet do this for.

Beyond that, `staging` copies what bots run into memory, so that they cannot talk through the page
cache, and `unsafe` answers the same questions about a plain process, for bots of one's own.
"""
