"""Changes of a club taken back, and deleted items restored."""
