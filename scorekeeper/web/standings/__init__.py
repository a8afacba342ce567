"""The pages of a season, and those of all games: `PAGES` in pages.py lists them."""
