"""Players that are programs: they get a view, a source of chance and a budget, nothing else."""
