"""The steps; one that was published is never changed."""
