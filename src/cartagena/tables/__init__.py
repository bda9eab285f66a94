"""Tables and their games: who sits there, what may be done, and what each audience is told."""
