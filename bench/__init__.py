"""How fast random games run here and in other libraries, measured side by side (see README.md)."""
