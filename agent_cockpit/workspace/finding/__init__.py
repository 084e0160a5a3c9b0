"""Names and words in the tree: listed, matched and searched, ignored ones left out."""
