"""HANDS: one file a tool. Its schema, its facts, its doing."""
