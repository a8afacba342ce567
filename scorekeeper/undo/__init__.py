"""Entries of a club's log undone, and deleted items restored. Hands and corrections are undone in services/hands.py."""
