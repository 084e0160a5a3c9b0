"""THE RECORD: one order of events, written before anybody sees them, and read back."""
