"""THE LOOK: themes, contrast, widths that terminals dispute, what is painted first."""
