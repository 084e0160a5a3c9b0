"""The front end of plain lines: the same engine for screen readers, dumb terminals and logs."""
