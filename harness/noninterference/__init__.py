"""Twin services that differ only in what an audience may not know must answer alike."""
