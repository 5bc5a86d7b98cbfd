"""Scheduling: from who is entered and what was played, the duels to come. Pure.

=============  ============================================================================
`round_robin`  the pairings, cut into visits, in the order in which they are played
`shards`       the same, cut into parts that machines play apart
`keys`         what names a duel
=============  ============================================================================
"""
