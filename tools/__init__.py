"""Tools the agent can call, and the corpora they search. Nothing here imports the agent."""
