"""Matches and tournaments between agents, and the statistics of their results."""
