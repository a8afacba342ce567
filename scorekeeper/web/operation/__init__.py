"""For operators: health checks, log, metrics."""
