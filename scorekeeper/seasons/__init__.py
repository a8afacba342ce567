"""Seasons: what is counted of finished games, ratings, standings, the chance to win."""
