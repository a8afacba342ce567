"""Standings, charts, partners and records of the games chosen."""
