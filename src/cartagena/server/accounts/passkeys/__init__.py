"""Passkeys: registration, sign-in, challenges, and recovery when all of them are lost."""
