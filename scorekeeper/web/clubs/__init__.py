"""Club home page, settings, change log, links and passphrase."""
