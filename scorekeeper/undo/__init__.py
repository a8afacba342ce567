"""Undo of club log entries, and restoration of deleted items. Hands are undone in services/hands.py."""
