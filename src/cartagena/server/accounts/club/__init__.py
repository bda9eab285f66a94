"""Signing in by the club's own identity provider (OpenID Connect)."""
