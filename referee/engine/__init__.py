"""The rules of the games, pure: no input or output, no clock, nothing drawn at random.

Begin with `registry` (the games there are), `game` (what a game is), `match` (hands to its end)
and `record` (a match written down and played again).
"""
