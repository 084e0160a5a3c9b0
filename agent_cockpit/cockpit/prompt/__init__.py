"""WRITING: what helps with a prompt, and what becomes of it."""
