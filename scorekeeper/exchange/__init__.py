"""In and out: a club as one file, games as records, tables for spreadsheets, seasons from paper."""
