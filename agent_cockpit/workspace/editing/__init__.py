"""Edits: planned, shown, done exactly as shown or not at all."""
