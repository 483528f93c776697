"""Certificates: proofs with every step written out, and a checker that relies on nothing but the rules."""
