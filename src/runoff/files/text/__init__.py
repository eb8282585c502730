"""Text files: runs and qrels, one file per format, recognised by content; the compiled reader does the fields."""
