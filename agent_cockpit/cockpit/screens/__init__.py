"""Full screens over the conversation."""
