"""Publication: a league as files, and the proof that what they say follows from the seed.

`export` writes a league, `verification` checks what somebody wrote, perhaps a stranger, from the
files alone. Between them they share only how things are written down.
"""
