"""Pages of a season and all-time pages: `PAGES` in pages.py lists them."""
