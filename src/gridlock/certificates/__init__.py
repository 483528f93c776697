"""Certificates: results with every step written out, and a checker that knows nothing but the rules."""
