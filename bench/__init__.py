"""How fast random games run here and in other libraries, measured in the same run (see README.md)."""
