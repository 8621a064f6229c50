"""What a reader sees: articles as canonical Markdown, HTML and PDF, the lint of their drafts, and the comparison of runs.

May import `analysis`, `model` and `errors`. A room imports only those below it:

- `page` prints an article's document as HTML and PDF; `report` shows runs beside each other, on a terminal or a page.
- `article` lints a draft, composes it and makes its document.
- `tables` are Markdown tables for articles; `figures` are drawings for both.
- `citing` says what prose and blocks cite; `runs` puts what a run recorded into words and rows.
- `templates`, `assets`, `escape` and `glossary` serve all of them.

Rules:

- A record's text is data: it passes through `escape.escaped` on its way into Markdown, and nothing else may print it.
- Canonical Markdown comes first; HTML is made from it, and PDF from the HTML.
- Nothing here opens a file outside the templates folder, or a connection. No clock: dates come from the article.
- WeasyPrint, vl-convert, nh3 and Jinja are imported inside the function that needs them; asking for a price loads none.
"""
