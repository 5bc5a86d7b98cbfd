"""Files and directories: written whole or not at all, copied, and removed after a kill.

- `own_directory`: a private directory that is locked while its owner lives, and swept afterwards.
- `writing`: a file or a directory that appears whole or not at all, and `sync`.
- `copying`: a copy of a directory that every user of the machine can read.
"""
