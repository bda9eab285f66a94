"""Sessions: tokens of people, devices and programs, and their cache."""
