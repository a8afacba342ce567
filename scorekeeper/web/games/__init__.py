"""Games: setup, score sheet, history, story, board."""
