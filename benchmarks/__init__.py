"""Times runoff beside its peers: `make bench`, `python -m benchmarks --only NAME`; see docs/developers/benchmarks.md."""
