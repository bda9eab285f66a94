"""Notices: web push and webhooks, sent only to addresses that may be reached."""
