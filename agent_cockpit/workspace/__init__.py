"""THE TREE: confinement, byte-preserving edits, snapshots and diffs, child processes."""
