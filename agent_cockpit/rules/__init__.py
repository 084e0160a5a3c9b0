"""WHAT FOLLOWS: pure functions on frozen values. No clock, no file, no await."""
