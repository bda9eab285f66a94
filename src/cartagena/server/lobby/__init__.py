"""The lobby: which tables there are, who plays where, how games ended and what that makes of ratings."""
