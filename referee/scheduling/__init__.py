"""Scheduling: from who is entered and what was played, the duels to come. Pure.

=============  ============================================================================
`round_robin`  the pairings, cut into visits, in the order in which they are played
`rounds`       rounds that are paired one after the other, and what is played of them
`ladder`       who meets whom in the next round of a ladder
`shards`       the same, cut into parts that machines play apart
`keys`         what names a duel
=============  ============================================================================
"""
