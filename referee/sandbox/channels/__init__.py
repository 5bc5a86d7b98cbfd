"""Programs that try to communicate from one sandbox to another; `measurement` runs them.

What is here runs inside sandboxes, so it needs nothing but Python itself.
"""
