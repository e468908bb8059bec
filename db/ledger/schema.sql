-- The journal of an organization's money. A holder (organization, property, lease) has accounts; an entry is one event; a posting
-- moves one amount from the account that it credits to the account that it debits, so that every entry sums to zero by its shape.
-- Days are yyyymmdd; the id of an account is that of its holder × 32 + its kind, see accounts.ts.
CREATE TABLE holder (
  id INTEGER PRIMARY KEY,
  book INTEGER NOT NULL,
  property INTEGER,
  ref TEXT NOT NULL UNIQUE
) STRICT;
CREATE INDEX holder_property ON holder (property) WHERE property IS NOT NULL;
CREATE TABLE book (
  id INTEGER PRIMARY KEY REFERENCES holder,
  last_seq INTEGER NOT NULL DEFAULT 0,
  closed_on INTEGER NOT NULL DEFAULT 0
) STRICT;
-- Debits less credits.
CREATE TABLE account (
  id INTEGER PRIMARY KEY,
  balance INTEGER NOT NULL
) STRICT;
CREATE TABLE entry (
  id INTEGER PRIMARY KEY,
  book INTEGER NOT NULL REFERENCES book,
  seq INTEGER NOT NULL,
  day INTEGER NOT NULL,
  kind INTEGER NOT NULL,
  at INTEGER NOT NULL,
  source TEXT,
  reverses INTEGER REFERENCES entry
) STRICT;
CREATE TABLE posting (
  id INTEGER PRIMARY KEY,
  entry INTEGER NOT NULL REFERENCES entry,
  day INTEGER NOT NULL,
  debit INTEGER NOT NULL,
  credit INTEGER NOT NULL,
  amount INTEGER NOT NULL CHECK (amount BETWEEN 1 AND 2000000000000),
  invoice INTEGER,
  CHECK (debit <> credit),
  CHECK ((invoice IS NULL) = (debit & 31 <> 1 AND credit & 31 <> 1))
) STRICT;
