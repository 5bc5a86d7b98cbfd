"""Publication: a league as files, and the proof that what they say follows from the seed.

Writing and verifying share only how things are spelled; each check computes anew what it checks.

- `league`, `duels`: what an export says of a league and of a duel.
- `collecting`, `export`: a league read from the store and written.
- `tables`, `notations`, `checksums`: its tables, its matches in other notations, its sums.
- `reading`, `duel_reading`: an export read back, with every field checked.
- `verification`: the checks, of files, league, duels, play and tables in a module each.
"""
