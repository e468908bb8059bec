-- Made anew after every migration, see triggers.ts; the last line of defence behind the services' own checks.
CREATE TRIGGER booking_no_overlap_insert BEFORE INSERT ON booking WHEN NEW.status IN ('PENDING', 'ACTIVE')
BEGIN
  SELECT RAISE(ABORT, 'booking overlap') WHERE EXISTS (
    SELECT 1 FROM booking b WHERE b.org_id = NEW.org_id AND b.unit_id = NEW.unit_id
      AND b.status IN ('PENDING', 'ACTIVE') AND b.id <> NEW.id
      AND b.start_date <= coalesce(NEW.end_date, '9999-12-31') AND coalesce(b.end_date, '9999-12-31') >= NEW.start_date);
END;
CREATE TRIGGER booking_no_overlap_update BEFORE UPDATE OF status, unit_id, start_date, end_date ON booking
WHEN NEW.status IN ('PENDING', 'ACTIVE')
BEGIN
  SELECT RAISE(ABORT, 'booking overlap') WHERE EXISTS (
    SELECT 1 FROM booking b WHERE b.org_id = NEW.org_id AND b.unit_id = NEW.unit_id
      AND b.status IN ('PENDING', 'ACTIVE') AND b.id <> NEW.id
      AND b.start_date <= coalesce(NEW.end_date, '9999-12-31') AND coalesce(b.end_date, '9999-12-31') >= NEW.start_date);
END;
CREATE TRIGGER audit_no_update BEFORE UPDATE ON audit_entry BEGIN SELECT RAISE(ABORT, 'the audit trail is append-only'); END;
-- An entry leaves once it is in an archive of its organization.
CREATE TRIGGER audit_no_delete BEFORE DELETE ON audit_entry WHEN NOT EXISTS (
  SELECT 1 FROM audit_archive a WHERE a.org_id = OLD.org_id AND a.pruned_at IS NULL
    AND OLD.created_at < a.before_day AND OLD.rowid <= a.last_row)
BEGIN SELECT RAISE(ABORT, 'the audit trail is append-only'); END;
CREATE TRIGGER audit_archive_no_delete BEFORE DELETE ON audit_archive BEGIN SELECT RAISE(ABORT, 'archives of the audit trail stay'); END;
CREATE TRIGGER audit_archive_no_update BEFORE UPDATE ON audit_archive
WHEN OLD.pruned_at IS NOT NULL OR NEW.id <> OLD.id OR NEW.org_id <> OLD.org_id OR NEW.before_day <> OLD.before_day
  OR NEW.last_row <> OLD.last_row OR NEW.sha256 <> OLD.sha256 OR NEW.previous_sha256 IS NOT OLD.previous_sha256
BEGIN SELECT RAISE(ABORT, 'archives of the audit trail stay'); END;
-- Copies that lists read without a join follow what they were copied from.
CREATE TRIGGER property_owner_follows AFTER UPDATE OF owner_user_id ON property WHEN NEW.owner_user_id <> OLD.owner_user_id
BEGIN
  UPDATE booking SET owner_user_id = NEW.owner_user_id, updated_at = NEW.updated_at, version = version + 1 WHERE org_id = NEW.org_id AND property_id = NEW.id;
  UPDATE invoice SET owner_user_id = NEW.owner_user_id, updated_at = NEW.updated_at, version = version + 1 WHERE property_id = NEW.id AND +org_id = NEW.org_id;
  UPDATE payment SET owner_user_id = NEW.owner_user_id, updated_at = NEW.updated_at, version = version + 1 WHERE org_id = NEW.org_id AND property_id = NEW.id;
  UPDATE document SET owner_user_id = NEW.owner_user_id, updated_at = NEW.updated_at, version = version + 1
  WHERE org_id = NEW.org_id AND booking_id IN (SELECT id FROM booking WHERE org_id = NEW.org_id AND property_id = NEW.id);
  UPDATE repair SET owner_user_id = NEW.owner_user_id, updated_at = NEW.updated_at, version = version + 1 WHERE org_id = NEW.org_id AND property_id = NEW.id;
  UPDATE inspection SET owner_user_id = NEW.owner_user_id, updated_at = NEW.updated_at, version = version + 1 WHERE org_id = NEW.org_id AND property_id = NEW.id;
  UPDATE expense SET owner_user_id = NEW.owner_user_id, updated_at = NEW.updated_at, version = version + 1 WHERE org_id = NEW.org_id AND property_id = NEW.id;
  UPDATE owner_transfer SET owner_user_id = NEW.owner_user_id, updated_at = NEW.updated_at, version = version + 1 WHERE org_id = NEW.org_id AND property_id = NEW.id;
  UPDATE meter SET owner_user_id = NEW.owner_user_id, updated_at = NEW.updated_at, version = version + 1 WHERE org_id = NEW.org_id AND property_id = NEW.id;
  UPDATE meter_reading SET owner_user_id = NEW.owner_user_id, updated_at = NEW.updated_at, version = version + 1 WHERE org_id = NEW.org_id AND property_id = NEW.id;
  UPDATE regularisation SET owner_user_id = NEW.owner_user_id, updated_at = NEW.updated_at, version = version + 1 WHERE org_id = NEW.org_id AND property_id = NEW.id;
END;
CREATE TRIGGER property_name_follows AFTER UPDATE OF name ON property WHEN NEW.name <> OLD.name
BEGIN
  UPDATE booking SET property_name = NEW.name, updated_at = NEW.updated_at, version = version + 1
  WHERE org_id = NEW.org_id AND property_id = NEW.id AND status IN ('DRAFT', 'PENDING', 'ACTIVE');
END;
CREATE TRIGGER unit_label_follows AFTER UPDATE OF label ON unit WHEN NEW.label <> OLD.label
BEGIN
  UPDATE booking SET unit_label = NEW.label, updated_at = NEW.updated_at, version = version + 1
  WHERE org_id = NEW.org_id AND unit_id = NEW.id AND status IN ('DRAFT', 'PENDING', 'ACTIVE');
END;
CREATE TRIGGER tenant_name_follows AFTER UPDATE OF full_name ON tenant WHEN NEW.full_name <> OLD.full_name
BEGIN
  UPDATE booking SET tenant_name = NEW.full_name, updated_at = NEW.updated_at, version = version + 1
  WHERE org_id = NEW.org_id AND tenant_id = NEW.id AND status IN ('DRAFT', 'PENDING', 'ACTIVE', 'CANCELLED');
END;
CREATE TRIGGER tenant_account_follows AFTER UPDATE OF user_id ON tenant WHEN NEW.user_id IS NOT OLD.user_id
BEGIN
  UPDATE booking SET tenant_user_id = NEW.user_id, updated_at = NEW.updated_at, version = version + 1 WHERE org_id = NEW.org_id AND tenant_id = NEW.id;
  -- A lease may have been in the name of another before: their invoices and papers are not this tenant's.
  UPDATE invoice SET tenant_user_id = NEW.user_id, updated_at = NEW.updated_at, version = version + 1
  WHERE +org_id = NEW.org_id AND booking_id IN (SELECT id FROM booking WHERE org_id = NEW.org_id AND tenant_id = NEW.id)
    AND tenant_id = NEW.id;
  UPDATE payment SET tenant_user_id = NEW.user_id, updated_at = NEW.updated_at, version = version + 1
  WHERE org_id = NEW.org_id AND booking_id IN (SELECT id FROM booking WHERE org_id = NEW.org_id AND tenant_id = NEW.id);
  UPDATE document SET tenant_user_id = NEW.user_id, updated_at = NEW.updated_at, version = version + 1
  WHERE org_id = NEW.org_id AND booking_id IN (SELECT id FROM booking WHERE org_id = NEW.org_id AND tenant_id = NEW.id)
    AND tenant_user_id IS OLD.user_id AND (OLD.user_id IS NOT NULL
      OR (invoice_id IS NULL OR EXISTS (SELECT 1 FROM invoice i WHERE i.org_id = NEW.org_id AND i.id = invoice_id AND i.tenant_id = NEW.id))
      AND (voided_at IS NULL OR json_extract(data, '$.tenant.name') = OLD.full_name));
  UPDATE repair SET tenant_user_id = NEW.user_id, updated_at = NEW.updated_at, version = version + 1
  WHERE org_id = NEW.org_id AND booking_id IN (SELECT id FROM booking WHERE org_id = NEW.org_id AND tenant_id = NEW.id);
  UPDATE inspection SET tenant_user_id = NEW.user_id, updated_at = NEW.updated_at, version = version + 1
  WHERE org_id = NEW.org_id AND booking_id IN (SELECT id FROM booking WHERE org_id = NEW.org_id AND tenant_id = NEW.id);
END;
-- A lease's credit is what its confirmed payments left over.
CREATE TRIGGER payment_credit_insert AFTER INSERT ON payment WHEN NEW.unallocated_amount > 0
BEGIN
  UPDATE booking SET credit_amount = credit_amount + NEW.unallocated_amount, updated_at = NEW.updated_at, version = version + 1
  WHERE org_id = NEW.org_id AND id = coalesce(NEW.credit_booking_id, NEW.booking_id);
END;
CREATE TRIGGER payment_credit_update AFTER UPDATE OF unallocated_amount ON payment WHEN NEW.unallocated_amount <> OLD.unallocated_amount
BEGIN
  UPDATE booking SET credit_amount = credit_amount + NEW.unallocated_amount - OLD.unallocated_amount, updated_at = NEW.updated_at, version = version + 1
  WHERE org_id = NEW.org_id AND id = coalesce(NEW.credit_booking_id, NEW.booking_id);
END;
-- The lease that goes on from another takes its credit over.
CREATE TRIGGER payment_credit_moved AFTER UPDATE OF credit_booking_id ON payment WHEN NEW.credit_booking_id IS NOT OLD.credit_booking_id AND OLD.unallocated_amount > 0
BEGIN
  UPDATE booking SET credit_amount = credit_amount - OLD.unallocated_amount, updated_at = NEW.updated_at, version = version + 1
  WHERE org_id = NEW.org_id AND id = coalesce(OLD.credit_booking_id, OLD.booking_id);
  UPDATE booking SET credit_amount = credit_amount + OLD.unallocated_amount, updated_at = NEW.updated_at, version = version + 1
  WHERE org_id = NEW.org_id AND id = coalesce(NEW.credit_booking_id, NEW.booking_id);
END;
-- What people search by, made anew with the triggers. `keys` are whole words: the row's id, and an o with the id of each
-- owner who may find it. `staff` is what only MANAGER and ADMIN may find: the tenant of a lease that its owner may not
-- know by name.
CREATE VIEW tenant_words AS SELECT t.id AS ref, t.org_id,
  replace(t.id, '-', '') || ' o' || replace(t.created_by, '-', '') || coalesce((
    SELECT group_concat(' o' || replace(b.owner_user_id, '-', ''), '') FROM booking b
    WHERE b.org_id = t.org_id AND b.tenant_id = t.id AND +b.status IN ('PENDING', 'ACTIVE', 'TERMINATED')), '') AS keys,
  -- A number is typed with its country's code or without: one to three digits.
  t.full_name || coalesce(' ' || t.representative_name, '') || coalesce(' ' || substr(t.phone_number, 2) || ' ' || substr(t.phone_number, 3) || ' '
    || substr(t.phone_number, 4) || ' ' || substr(t.phone_number, 5), '') AS words,
  '' AS staff
FROM tenant t;
CREATE VIEW property_words AS SELECT p.id AS ref, p.org_id,
  replace(p.id, '-', '') || ' o' || replace(p.owner_user_id, '-', '') AS keys,
  p.name || ' ' || p.address_line || ' ' || coalesce(p.quartier, '') || ' ' || p.city || ' ' || coalesce(p.province, '') AS words,
  '' AS staff
FROM property p;
CREATE VIEW unit_words AS SELECT u.id AS ref, u.org_id,
  replace(u.id, '-', '') || ' o' || replace(p.owner_user_id, '-', '') AS keys,
  u.label || ' ' || p.name AS words,
  '' AS staff
FROM unit u JOIN property p ON p.id = u.property_id;
CREATE VIEW booking_words AS SELECT b.id AS ref, b.org_id,
  replace(b.id, '-', '') || ' o' || replace(b.owner_user_id, '-', '') AS keys,
  b.unit_label || iif(b.status IN ('DRAFT', 'CANCELLED'), '', ' ' || b.tenant_name) || coalesce((
    SELECT group_concat(' ' || y.full_name, '') FROM lease_party y
    WHERE y.org_id = b.org_id AND y.booking_id = b.id AND y.removed_at IS NULL), '') AS words,
  iif(b.status IN ('DRAFT', 'CANCELLED'), b.tenant_name, '') AS staff
FROM booking b;
CREATE VIEW repair_words AS SELECT r.id AS ref, r.org_id,
  replace(r.id, '-', '') || ' o' || replace(r.owner_user_id, '-', '') AS keys,
  r.title AS words,
  '' AS staff
FROM repair r;
DROP TABLE IF EXISTS search;
-- SQLite leaves this one of an index without content.
DROP TABLE IF EXISTS search_content;
-- Words come in as search-index.ts spells them, each after its table and organization: a search goes through no others.
CREATE VIRTUAL TABLE search USING fts5(keys, words, staff, ref UNINDEXED, tokenize = 'ascii',
  content = '', contentless_delete = 1, contentless_unindexed = 1);
-- By default the index merges sixteen of its pieces at once, of any size, within one write. Without that it merges a little
-- with each write, and has some more pieces to look through.
INSERT INTO search (search, rank) VALUES ('crisismerge', 1000);
-- What is new, or known by other words, until its transaction indexes it all at its end: the index would write a piece of
-- itself for each.
DROP TABLE IF EXISTS search_due;
CREATE TABLE search_due (kind TEXT NOT NULL, ref TEXT NOT NULL, known INTEGER NOT NULL);
CREATE TRIGGER property_units_search_follows AFTER UPDATE OF name, owner_user_id ON property WHEN NEW.name IS NOT OLD.name OR NEW.owner_user_id IS NOT OLD.owner_user_id
BEGIN
  INSERT INTO search_due (kind, ref, known) SELECT 'unit', id, 1 FROM unit WHERE org_id = NEW.org_id AND property_id = NEW.id;
END;
-- A lease is found by its co-tenants and guarantors too.
CREATE TRIGGER lease_party_searched AFTER INSERT ON lease_party
BEGIN
  INSERT INTO search_due (kind, ref, known) VALUES ('booking', NEW.booking_id, 1);
END;
CREATE TRIGGER lease_party_search_follows AFTER UPDATE OF full_name, removed_at ON lease_party WHEN NEW.full_name IS NOT OLD.full_name OR NEW.removed_at IS NOT OLD.removed_at
BEGIN
  INSERT INTO search_due (kind, ref, known) VALUES ('booking', NEW.booking_id, 1);
END;
CREATE TRIGGER lease_party_unsearched AFTER DELETE ON lease_party
BEGIN
  INSERT INTO search_due (kind, ref, known) VALUES ('booking', OLD.booking_id, 1);
END;
-- A lease was drawn up in the name of a wrong tenant: each is found by their own leases alone.
CREATE TRIGGER booking_tenant_named AFTER UPDATE OF tenant_id ON booking WHEN NEW.tenant_id <> OLD.tenant_id
BEGIN
  INSERT INTO search_due (kind, ref, known) VALUES ('tenant', OLD.tenant_id, 1);
  INSERT INTO search_due (kind, ref, known) VALUES ('tenant', NEW.tenant_id, 1);
END;
-- An owner finds a tenant while a lease gives them sight.
CREATE TRIGGER booking_tenant_searched AFTER INSERT ON booking WHEN NEW.status NOT IN ('DRAFT', 'CANCELLED')
  AND NEW.owner_user_id <> (SELECT created_by FROM tenant WHERE id = NEW.tenant_id)
BEGIN
  INSERT INTO search_due (kind, ref, known) VALUES ('tenant', NEW.tenant_id, 1);
END;
CREATE TRIGGER booking_tenant_search_follows AFTER UPDATE OF status, owner_user_id ON booking
WHEN NEW.owner_user_id <> OLD.owner_user_id
  OR (NEW.status <> OLD.status AND NEW.owner_user_id <> (SELECT created_by FROM tenant WHERE id = NEW.tenant_id))
BEGIN
  INSERT INTO search_due (kind, ref, known) VALUES ('tenant', NEW.tenant_id, 1);
END;
