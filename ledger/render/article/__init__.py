"""A draft linted, composed and turned into a document. Imports `citing`, `tables` and `figures`."""
