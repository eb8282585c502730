"""Files from strangers, read in a process with limits."""
