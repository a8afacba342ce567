"""Players: list, statistics, renaming and merging."""
