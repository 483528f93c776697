"""Matches and tournaments between agents, and what their results mean."""
