"""What a run writes while it runs and how that is read back: journal lines, Parquet, results. Starts no engine."""
