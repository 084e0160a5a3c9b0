"""WHAT IT READS LIKE: a pure fold of events into blocks, shared by all front ends."""
