"""WHAT HOLDS A COMMAND: one way a file, the places that all guard, and the choice between them."""
