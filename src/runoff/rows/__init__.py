"""Rows of run files and qrels: parsed, grouped by query, ranked."""
