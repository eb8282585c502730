"""Runs: submitted, scored, given their verdict."""
