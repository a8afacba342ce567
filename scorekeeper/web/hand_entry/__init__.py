"""Entering and correcting a hand."""
