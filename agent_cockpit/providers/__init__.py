"""VOICES: one file a wire format; each turns bytes into the same few pieces."""
