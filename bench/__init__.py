"""Benchmarks, some of which compare GridLock's speed with that of other libraries (see README.md)."""
