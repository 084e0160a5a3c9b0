"""Snapshots of the tree: taken, compared, kept, and files put back from them."""
