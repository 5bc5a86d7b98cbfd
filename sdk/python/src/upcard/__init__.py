"""The Python SDK for bot authors; it holds nothing but its version until the protocol exists."""

__version__ = "0.1.0"
