"""How the tables came to be what they are, one step for each version that changed them."""
