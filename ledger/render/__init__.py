"""Articles: vocabulary, lint, canonical Markdown, HTML, PDF, tables and figures.

May import `analysis`, `model` and `errors`. Rules:

- A record's text is data: it passes through `escape.escaped` on its way into Markdown, and nothing else may print it.
- Canonical Markdown comes first; HTML is made from it, and PDF from the HTML.
- Nothing here opens a file outside the templates folder, or a connection. No clock: dates come from the article.
- WeasyPrint, vl-convert, nh3 and Jinja are imported inside the function that needs them; asking for a price loads none.
"""
