"""What can be asked of a table: routes as values, each with its handler, for a service and for a device."""
