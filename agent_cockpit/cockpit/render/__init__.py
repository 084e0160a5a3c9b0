"""One renderer a block kind: blocks to strips."""
