"""The service: tables that lose nothing, on PostgreSQL and NATS."""
