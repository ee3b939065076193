"""Smoke tests: conversations with what is expected of them, and recordings of Gemini."""
