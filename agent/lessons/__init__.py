"""The course: one line of the loop is broken, predicted, run, compared, explained, repaired."""
