-- The line of chat that a report is about, and its words as they were then: it may be taken away since.
ALTER TABLE directory.reports ADD COLUMN line integer, ADD COLUMN said text;
