"""The store: bots, leagues and what was played, in a database that survives any kill.

`kept` has the values the rest of Upcard deals in; `rows` has the tables they are kept in; what is
between the two is one module for each noun. Nothing is ever deleted: what no longer counts says
why. A finished duel is one transaction, and so is everything else that is written.

`opening` finds the database, SQLite or PostgreSQL, and brings it up to date; `database` is the way
in for all that reads or writes.
"""
