"""Server-sent events that notify open pages when their game or club changes."""
