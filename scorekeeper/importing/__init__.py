"""Games and clubs read from files: checked line by line, then brought in whole or not at all."""
