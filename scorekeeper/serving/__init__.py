"""What serves the application to the phones: `scorekeeper run`."""
