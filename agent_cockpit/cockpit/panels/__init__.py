"""The panel that asks: its frame, its words, and what is written in it."""
