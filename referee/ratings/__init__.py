"""Ratings, from results alone. Pure; the pages of `docs/ratings.md` say why.

============  =============================================================================
`results`     how each duel went: what all of this is made from
`standings`   the table and the crosstable
`fitting`     the rating: TrueSkill's model, fitted to all duels at once
`outcomes`    how likely wins, draws and losses are, and how that changes
`intervals`   where the true rating lies, with 95 % certainty
`clusters`    how much duels played one after the other depend on each other
`methods`     how ratings are computed now, and as earlier releases did
`live`        the other rating, duel by duel
`ranks`       the places an entrant may hold: ranges, where entrants are not told apart
`points`      what a hand is worth: what one wins on the same deals, on average over all rooms
`margins`     points per hand estimated from duels, and how sure they are
`suspension`  the entrants that are at fault so often that they are suspended
`stopping`    when a league may stop early
`comparison`  whether one bot is better than another, asked after every duel
`columns`     results as arrays
`renumbered`  results by other numbers of the entrants, so that those of several leagues add up
`pairs`       duels counted by pairing
`pair_bits`   sets and numbers of pairings in little memory
`probit`      the normal distribution
`student`     Student's distribution
============  =============================================================================
"""
