"""The restore drill: a cluster is lost while games run, and restored to a moment."""
