"""What the model is shown: messages that fit its window, and the texts put beside them."""
