"""One verb per file, shared by the command line, the web and the library."""
