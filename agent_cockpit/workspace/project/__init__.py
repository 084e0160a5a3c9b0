"""What a project says of itself: its instructions, its skills and its checks."""
