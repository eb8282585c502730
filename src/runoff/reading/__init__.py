"""Whatever the caller has, into runs and labels: files, frames, dicts; in memory, in parts, on a cluster."""
