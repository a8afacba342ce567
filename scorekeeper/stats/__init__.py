"""Statistics of finished games: tallies, ratings, standings, records. Never writes a game."""
