"""Starting, changing and closing seasons. Their pages are in web/standings, which lists them."""
