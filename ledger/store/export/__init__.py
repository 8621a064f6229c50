"""The stable views as files: one module a format behind one small interface, `Writer`.

Every format writes the same tables and the same account of the query. Decimals leave as text, so that nothing rounds
them; the same records and query give the same bytes. Imports `files` and `index`.
"""
