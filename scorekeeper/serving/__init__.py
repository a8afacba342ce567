"""The web server: `scorekeeper run`."""
