"""May it run: facts of a call, policy, grants, boundaries, and how far a yes may reach."""
