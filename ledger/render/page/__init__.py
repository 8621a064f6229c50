"""A document as an HTML page and as a PDF. Imports `article`'s document, composes nothing."""
