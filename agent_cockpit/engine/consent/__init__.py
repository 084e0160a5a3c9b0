"""ASKING: calls that wait for a person, their answers, and what a yes was used for."""
