"""A club's own page."""
