"""Judging on the server: from the pool of a campaign to a new version of the labels, without a file in between."""
