"""The wire protocol in Python, generated from `proto/upcard/v1`."""

from upcard.lazy import lazy_modules

# Protobuf imports its implementation in Python beside the one in use, and it takes longer to load.
with lazy_modules("google.protobuf.internal.python_message"):
    import google.protobuf.descriptor_pool
