"""EYES AND KEYS: the only room that knows Textual."""
