"""The report: its sections, one per file, and the page that holds them."""
