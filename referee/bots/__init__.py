"""Bots as their authors hand them in: a directory, what it says of itself, and its digest."""
