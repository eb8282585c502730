"""Times runoff beside its peers: `make bench`, `python -m benchmarks --only NAME`; docs/developers/benchmarks.md."""
