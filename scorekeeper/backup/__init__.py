"""Backups of the database, restoring one, and moving everything to another database (docs/keeping-data.md)."""
