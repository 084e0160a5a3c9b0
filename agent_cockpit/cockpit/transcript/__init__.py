"""THE CONVERSATION on the screen: drawn by line, read, pointed at and searched."""
