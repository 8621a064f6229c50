"""The comparison of runs, as the terminal and the page show it. Imports `tables` and `figures`."""
