"""Open pages that are told at once when their game or their club has changed."""
