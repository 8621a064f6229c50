"""An article's document as an HTML page and as a PDF. Imports `article`, composes nothing itself."""
