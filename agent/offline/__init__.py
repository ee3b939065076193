"""The offline Gemini: as strict as the API about what it takes, and no language model behind it."""
