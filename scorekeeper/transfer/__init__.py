"""Club files, game records and spreadsheets: import and export."""
