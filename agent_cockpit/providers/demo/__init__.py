"""The built-in voice: scripted, without a network, and it reacts to what calls return."""
