"""Mail to members of teams."""
