"""The command line: one entrance to everything that Cartagena can do."""
