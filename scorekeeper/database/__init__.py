"""Sessions and transactions, database errors by their codes, SQLite's file, and the turns of its writers."""
