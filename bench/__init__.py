"""Benchmarks, such as how fast random games run here and in other libraries (see README.md)."""
