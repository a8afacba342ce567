"""Players: the list, one player's numbers, renaming and merging."""
