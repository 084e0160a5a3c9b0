"""The pieces of the main screen."""
