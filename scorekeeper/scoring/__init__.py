"""The scoring core: facts of a hand in, points and scores with their reasons out. Standard library only."""
