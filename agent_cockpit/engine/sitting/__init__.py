"""FROM GOAL TO GOAL: modes, plans, queue, local commands, and all that outlives one goal."""
