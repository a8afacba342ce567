"""How a phone comes to trust a home server's certificate, to open it over HTTPS."""
