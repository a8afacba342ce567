"""Installing a home server's certificate on a phone, for HTTPS."""
