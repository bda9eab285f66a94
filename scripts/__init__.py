"""Scripts: what builds, checks and documents the project."""
