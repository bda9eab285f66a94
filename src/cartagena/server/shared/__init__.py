"""What every part of the service speaks of: ids, problems, settings."""
