"""THE VOICE: what the model is told, one call of it, and room in its window."""
