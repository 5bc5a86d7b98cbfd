"""Scheduling: from who is entered and what was played, the duels to come. Pure."""
