"""The rooms where people ask: one question (ask), line by line (chat), and how results are told."""
