"""Boards: made, changed, joined, audited."""
