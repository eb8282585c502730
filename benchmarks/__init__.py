"""Times runoff beside its peers: `make bench`, or `python -m benchmarks --only NAME`; see docs/benchmarks.md."""
