"""The wire protocol in Python, generated from `proto/upcard/v1`."""
