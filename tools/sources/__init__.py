"""Where the material of a corpus lies: documents, a table, the lines of a log, a list of issues."""
