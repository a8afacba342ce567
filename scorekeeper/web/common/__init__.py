"""Shared by all pages: access control, errors, forms, numbers, static files. Imports no feature of web/."""
