"""SQL statements that turn a new database into one of an earlier version of the tables."""

VERSION_5 = (
    "CREATE TABLE old AS SELECT * FROM publications",
    "DROP VIEW publications",
    "DROP TABLE records",
    "DROP TABLE names",
    "DROP TABLE identifier_index",
    "ALTER TABLE old RENAME TO publications",
    "CREATE INDEX publications_doi ON publications (doi) WHERE doi IS NOT NULL",
    "UPDATE meta SET value = '5' WHERE name = 'schema_version'",
)
VERSION_3 = (
    *VERSION_5,
    "ALTER TABLE publications DROP COLUMN checksum",
    "UPDATE meta SET value = '3' WHERE name = 'schema_version'",
)
