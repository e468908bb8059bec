-- What the database itself holds of the journal; see db/schema/ledger.ts.
CREATE TRIGGER entry_open BEFORE INSERT ON entry WHEN NEW.day <= (SELECT closed_on FROM book WHERE id = NEW.book)
  OR NEW.seq <> (SELECT last_seq + 1 FROM book WHERE id = NEW.book)
BEGIN SELECT RAISE(ABORT, 'month closed or number skipped'); END;
CREATE TRIGGER entry_counted AFTER INSERT ON entry BEGIN UPDATE book SET last_seq = NEW.seq WHERE id = NEW.book; END;
-- An upsert would check the row that it inserts, not the sum: a balance begins at nothing.
CREATE TRIGGER posting_balance AFTER INSERT ON posting
BEGIN
  INSERT INTO account (id, balance) VALUES (NEW.debit, 0) ON CONFLICT DO NOTHING;
  INSERT INTO account (id, balance) VALUES (NEW.credit, 0) ON CONFLICT DO NOTHING;
  UPDATE account SET balance = balance + iif(id = NEW.debit, NEW.amount, -NEW.amount) WHERE id IN (NEW.debit, NEW.credit);
END;
-- What is held for others (ADVANCE, DEPOSIT, SUSPENSE) is never below nothing; what is owed on an invoice is held by its table.
CREATE TRIGGER account_held AFTER UPDATE OF balance ON account
WHEN NEW.balance > 0 AND (NEW.id & 31 = 2 OR NEW.id & 31 = 3 OR NEW.id & 31 = 24)
BEGIN SELECT RAISE(ABORT, 'less than nothing'); END;
CREATE TRIGGER posting_kept BEFORE UPDATE ON posting BEGIN SELECT RAISE(ABORT, 'postings never change'); END;
CREATE TRIGGER posting_stays BEFORE DELETE ON posting BEGIN SELECT RAISE(ABORT, 'postings stay'); END;
CREATE TRIGGER entry_kept BEFORE UPDATE ON entry BEGIN SELECT RAISE(ABORT, 'entries never change'); END;
CREATE TRIGGER entry_stays BEFORE DELETE ON entry BEGIN SELECT RAISE(ABORT, 'entries stay'); END;
