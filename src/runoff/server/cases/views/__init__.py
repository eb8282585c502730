"""A board as somebody may see it."""
