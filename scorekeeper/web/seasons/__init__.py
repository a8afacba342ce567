"""Seasons: begun, changed, closed. What their pages show is in web/standings, which has a list of them."""
