"""Benchmarks of speed and start-up, as ratios to a baseline measured in the same run: `make bench`."""
