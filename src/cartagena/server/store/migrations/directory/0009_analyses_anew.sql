-- Analyses are told on one scale since, on which the numbers of those that were kept do not agree.
DELETE FROM directory.analyses WHERE found IS NOT NULL;
