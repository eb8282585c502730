"""The server: a leaderboard and judging on the web."""
