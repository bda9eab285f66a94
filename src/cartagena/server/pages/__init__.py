"""The pages of the browser client: the built files, kept in memory, sent as it suits each browser best."""
