"""Everything the organiser of a bot competition in Euchre and Whist runs."""
