"""How the databases became what they are: two lines of revisions in plain SQL.

`shard/` is about the games, `directory/` about players, lobby and ratings. A revision is a file,
`0002_name.sql`, and its number is its place in the line. What must not run in a transaction, such as `CREATE
INDEX CONCURRENTLY`, stands at the end, after a line that says `-- Outside of a transaction:`; all of a
revision must be able to run again after an upgrade that was cut short.

A released revision is never changed, only followed; and the program of the revision before must be able to
live with it, because nodes are replaced one by one.
"""
