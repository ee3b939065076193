"""The web as a source: who is asked, and what is kept of the answers."""
