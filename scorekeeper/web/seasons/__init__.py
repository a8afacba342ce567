"""Seasons: begun, changed, closed."""
