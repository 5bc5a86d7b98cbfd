"""What `tools/build_sdk_packages` does: a package of each SDK, as its ecosystem has it."""
