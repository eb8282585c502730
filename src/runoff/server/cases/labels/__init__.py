"""Versions of a board's labels."""
