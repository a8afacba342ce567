"""Back up and restore the database, and move everything to another one (docs/keeping-data.md)."""
