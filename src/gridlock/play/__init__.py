"""Games between players: matches and their score."""
