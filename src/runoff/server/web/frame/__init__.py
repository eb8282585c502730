"""What all pages have in common: the base template, widgets, style and script, and how a page is rendered."""
