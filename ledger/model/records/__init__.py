"""One module a kind of record. A kind imports `values`, `record` and, where its fields ask for it, another kind."""
