"""MAKES IT SO: session, runner, conversation, broker, bus, journal, verifier."""
