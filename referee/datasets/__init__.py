"""Recorded play as arrays, for programs that learn from what others decided.

===============  =================================================================
`decisions`      the decisions of a match as rows, and what each column says
`npz`            columns of any length in a file of NumPy
===============  =================================================================

The observations and the numbers of actions are those of ``upcard.encoding``. `docs/research.md`
explains their use.
"""
