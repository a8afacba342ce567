"""What every page uses: access, errors, forms, numbers, static files; it knows no area of the site."""
