"""What a shell line would do, told by its words: parsed, unwrapped, judged."""
