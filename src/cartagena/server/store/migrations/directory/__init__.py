"""The revisions of the schema `directory`: players, lobby, ratings."""
