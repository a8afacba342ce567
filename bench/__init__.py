"""Speed and start-up, always as a multiple of a bare thing measured in the same run. Run it with `make bench`."""
