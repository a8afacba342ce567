"""Everything that changes the database: each public function is one transaction."""
