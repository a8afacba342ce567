"""What `scorekeeper/db.py` is built on: troubles by their codes, SQLite's file, and turns of its writers."""
