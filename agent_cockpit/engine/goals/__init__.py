"""ONE GOAL: from its first message over calls and permits to the proof of its claim."""
