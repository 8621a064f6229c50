"""Record files to records and findings with their place, and files written whole or not at all. Imports no other room."""
