"""VIM: what its keys come to on a text and a cursor; knows no widget."""
