"""Entries of a club's log undone, and deleted items restored. Hands are undone in services/hands.py."""
