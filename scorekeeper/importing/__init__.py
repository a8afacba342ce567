"""Games and clubs read from files: checked line by line, then imported completely or not at all."""
