"""What commands print: rows, tables, paragraphs, findings, workbooks. Opens no ledger."""
