"""The pages of the browser client: the built files, kept in memory and answered as browsers like it best."""
