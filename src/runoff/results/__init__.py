"""What a verb returns: frozen, complete results that every format can show."""
