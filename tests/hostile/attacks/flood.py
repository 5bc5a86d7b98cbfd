"""Writes to its output without end."""

import os

LINE = b"all work and no play makes Jack a dull bot\n" * 1000
while True:
    os.write(1, LINE)
