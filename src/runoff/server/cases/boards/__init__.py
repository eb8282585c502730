"""Use cases of boards: create, change, join, audit."""
