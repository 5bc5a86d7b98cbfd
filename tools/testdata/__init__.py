"""What `tools/generate_testdata` writes: what the referee tells, for every SDK to understand."""
