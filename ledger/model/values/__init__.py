"""What the fields of records hold: decimals, days, units, references, text, and the meaning hash. Imports `errors` alone."""
