"""Models the loop can talk to: the Gemini gateway, and models around a model."""
