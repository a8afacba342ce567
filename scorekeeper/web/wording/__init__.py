"""Every sentence that Python makes: hands, games, rules, seasons."""
