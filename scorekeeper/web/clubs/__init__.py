"""A club's own page, its settings and changes, and who has access to it."""
