"""Use cases of runs: submit, score, decide the verdict."""
