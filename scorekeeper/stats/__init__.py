"""What is counted of finished games: tallies, ratings, standings, records; it never writes a game."""
