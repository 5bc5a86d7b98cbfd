"""Brings entrants, sandboxes and tables together, and keeps what comes of it."""
