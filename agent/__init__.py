"""The hand-written ReAct agent: the loop and everything that reaches it as an argument."""
