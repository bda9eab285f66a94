"""Who plays: guests and named players, how they sign in, whom they avoid, and how they get notices."""
