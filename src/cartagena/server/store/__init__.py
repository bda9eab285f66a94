"""The store: PostgreSQL, the only place where anything lasts."""
