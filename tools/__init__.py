"""Developer commands; not part of the program."""
