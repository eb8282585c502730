"""Text files: runs and qrels, one file per format, told by content; the compiled reader does the fields."""
