"""Reports of a league for programs: the same on the command line and on the web.

- `facts`: what is true of the whole league, and its entrants.
- `ratings`, `crosstable`: the table, its history, and each pair of entrants.
- `duels`, `faults`: what was played, and what bots did wrong.
- `entrants`: all about one entrant.
- `replays`, `deals`: a match step by step, and the rooms of a duel side by side.
- `points`: points per hand with their interval.
- `head_to_head`, `costly_deals`, `comparison`: two bots that played only each other.
- `played_again`: where a duel with the same deals went otherwise than before.
- `clones`: which entrants play alike.
- `positions`: what lies where in a hand of a described game, move by move.
"""
