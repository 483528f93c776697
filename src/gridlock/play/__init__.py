"""Matches, advice, lessons, puzzles and reviews, for every interface."""
