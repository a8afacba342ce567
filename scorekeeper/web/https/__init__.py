"""How a phone comes to trust a server at home, so that it opens it by HTTPS."""
