"""Benchmarks, such as the speed of random games compared with other libraries (see README.md)."""
