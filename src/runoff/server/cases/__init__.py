"""What somebody may do on the server, by subject; the only importers of the store."""
