"""ASKING: what a question shows and offers, and what becomes of its answer."""
