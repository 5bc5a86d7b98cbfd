"""Pages for spectators: a league's table, its crosstable, its bots, every hand; and the data of it.

Theory of operation. A page has one address, which ends in ``.html``, and links to others by
relative addresses, so that the same bytes can be served or written to a directory and opened from
there (`site`). Pages are made from an `Almanac`, which keeps the table of each league and makes it
anew when the store says that the league has changed. Nothing here writes to the store, and nothing
is shown of a duel before both of its rooms are over.
"""
