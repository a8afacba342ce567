"""Clubs and games written to files."""
