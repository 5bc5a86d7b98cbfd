"""The store: bots, leagues and what was played, in a database that survives any kill.

Nothing of a league is ever deleted: what no longer counts says why. A finished duel is stored in
one transaction, with those that came in together with it, and so is everything else that is
written; what was shown to the world is on the disk before it is shown.

============  =============================================================================
`opening`     opens a store, and creates or migrates it where that is needed
`location`    where a store is: a file of SQLite, or a database on a server
`database`    transactions to read and to write, and the database's errors in one line
`rows`        the tables of leagues
`row_types`   the types of their columns
`tables`      all tables, those of leagues and those of a host
`models`      the values that the rest of Upcard works with, apart from how they are stored
`schema`      refuses a file whose schema could run code, or lacks columns
`exact`       makes values of rows, each field of its type
`damage`      finds out whether a file is damaged, once something in it could not be used
`migrating`   brings the tables up to date, by the steps in `migrations`
`leagues`     leagues: their plans, entries, epochs and states
`epochs`      what epochs are dealt from: secrets, nonces, rounds of beacons
`statement`   the opening statement of an epoch, and by whom it is dealt; pure
`plans`       the plan of a league as it stands in its row
`chain`       the hash chain of a log, and what it says of a duel; pure
`log`         the log of each league
`leases`      one process at a time runs a league
`duels`       finished duels, faults, voids, and what isolated the bots
`rounds`      who meets whom, in a league that is paired round by round
`play`        the matches of a duel as a few hundred bytes
`snapshots`   the ratings as they stood after each round
`stamps`      whether anything of a league has changed, at little cost
`bots`        the bots, and how they are found by what a person calls them
`bundles`     the directories of their files, each whole or not there
`backups`     how large a store is, and a copy of it while it is in use
`copies`      a copy of a store at another place, in a file or on a server
============  =============================================================================

What a host keeps besides (`referee.hosting` works with it):

================  =========================================================================
`hosting_rows`    its tables
`hosting_models`  the values that are in them, apart from how they are stored
`accounts`        accounts, and what they sign in by
`audit`           who did what; announcements and settings
`submissions`     what was handed in, how far its examination is, and what came of it
`sources`         the archives of submissions
`lifecycle`       what becomes of submissions, each change in one transaction
`jobs`            the queue
`ladders`         ladders: their plans, epochs, entrants and snapshots
`challenges`      unrated duels that were asked for
`assignments`     the assignments of a course
================  =========================================================================
"""
