"""THE TABLE OF KEYS: what each key does where, and the person's own keys."""
