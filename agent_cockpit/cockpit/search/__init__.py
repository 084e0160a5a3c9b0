"""Finding words and patterns in a transcript, folded or not."""
