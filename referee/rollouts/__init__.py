"""Random play of programs: what it finds of their mistakes, and how their cards move."""
