"""What a run says: its facts, the rubric's verdicts, and the claims drafted from them. Imports `statistics`."""
