"""Everything the organiser of a bot competition in card games runs."""
