-- Re-created after every migration; the last line of defence behind the services' own checks.
DROP TRIGGER IF EXISTS booking_no_overlap_insert;
CREATE TRIGGER booking_no_overlap_insert BEFORE INSERT ON booking WHEN NEW.status IN ('PENDING', 'ACTIVE')
BEGIN
  SELECT RAISE(ABORT, 'booking overlap') WHERE EXISTS (
    SELECT 1 FROM booking b WHERE b.org_id = NEW.org_id AND b.unit_id = NEW.unit_id
      AND b.status IN ('PENDING', 'ACTIVE') AND b.id <> NEW.id
      AND b.start_date <= coalesce(NEW.end_date, '9999-12-31') AND coalesce(b.end_date, '9999-12-31') >= NEW.start_date);
END;
DROP TRIGGER IF EXISTS booking_no_overlap_update;
CREATE TRIGGER booking_no_overlap_update BEFORE UPDATE OF status, unit_id, start_date, end_date ON booking
WHEN NEW.status IN ('PENDING', 'ACTIVE')
BEGIN
  SELECT RAISE(ABORT, 'booking overlap') WHERE EXISTS (
    SELECT 1 FROM booking b WHERE b.org_id = NEW.org_id AND b.unit_id = NEW.unit_id
      AND b.status IN ('PENDING', 'ACTIVE') AND b.id <> NEW.id
      AND b.start_date <= coalesce(NEW.end_date, '9999-12-31') AND coalesce(b.end_date, '9999-12-31') >= NEW.start_date);
END;
DROP TRIGGER IF EXISTS audit_no_update;
CREATE TRIGGER audit_no_update BEFORE UPDATE ON audit_entry BEGIN SELECT RAISE(ABORT, 'the audit trail is append-only'); END;
DROP TRIGGER IF EXISTS audit_no_delete;
-- An entry leaves once it is in an archive of its organization.
CREATE TRIGGER audit_no_delete BEFORE DELETE ON audit_entry WHEN NOT EXISTS (
  SELECT 1 FROM audit_archive a WHERE a.org_id = OLD.org_id AND a.pruned_at IS NULL
    AND OLD.created_at < a.before_day AND OLD.rowid <= a.last_row)
BEGIN SELECT RAISE(ABORT, 'the audit trail is append-only'); END;
DROP TRIGGER IF EXISTS audit_archive_no_delete;
CREATE TRIGGER audit_archive_no_delete BEFORE DELETE ON audit_archive BEGIN SELECT RAISE(ABORT, 'archives of the audit trail stay'); END;
DROP TRIGGER IF EXISTS audit_archive_no_update;
CREATE TRIGGER audit_archive_no_update BEFORE UPDATE ON audit_archive
WHEN OLD.pruned_at IS NOT NULL OR NEW.id <> OLD.id OR NEW.org_id <> OLD.org_id OR NEW.before_day <> OLD.before_day
  OR NEW.last_row <> OLD.last_row OR NEW.sha256 <> OLD.sha256 OR NEW.previous_sha256 IS NOT OLD.previous_sha256
BEGIN SELECT RAISE(ABORT, 'archives of the audit trail stay'); END;
-- Copies that lists read without a join follow what they were copied from.
DROP TRIGGER IF EXISTS property_owner_follows;
CREATE TRIGGER property_owner_follows AFTER UPDATE OF owner_user_id ON property WHEN NEW.owner_user_id <> OLD.owner_user_id
BEGIN
  UPDATE booking SET owner_user_id = NEW.owner_user_id, updated_at = NEW.updated_at, version = version + 1 WHERE org_id = NEW.org_id AND property_id = NEW.id;
  UPDATE invoice SET owner_user_id = NEW.owner_user_id, updated_at = NEW.updated_at, version = version + 1 WHERE property_id = NEW.id AND +org_id = NEW.org_id;
  UPDATE payment SET owner_user_id = NEW.owner_user_id, updated_at = NEW.updated_at, version = version + 1 WHERE org_id = NEW.org_id AND property_id = NEW.id;
  UPDATE document SET owner_user_id = NEW.owner_user_id, updated_at = NEW.updated_at, version = version + 1
  WHERE org_id = NEW.org_id AND booking_id IN (SELECT id FROM booking WHERE org_id = NEW.org_id AND property_id = NEW.id);
END;
DROP TRIGGER IF EXISTS property_name_follows;
CREATE TRIGGER property_name_follows AFTER UPDATE OF name ON property WHEN NEW.name <> OLD.name
BEGIN
  UPDATE booking SET property_name = NEW.name, updated_at = NEW.updated_at, version = version + 1
  WHERE org_id = NEW.org_id AND property_id = NEW.id AND status IN ('DRAFT', 'PENDING', 'ACTIVE');
END;
DROP TRIGGER IF EXISTS unit_label_follows;
CREATE TRIGGER unit_label_follows AFTER UPDATE OF label ON unit WHEN NEW.label <> OLD.label
BEGIN
  UPDATE booking SET unit_label = NEW.label, updated_at = NEW.updated_at, version = version + 1
  WHERE org_id = NEW.org_id AND unit_id = NEW.id AND status IN ('DRAFT', 'PENDING', 'ACTIVE');
END;
DROP TRIGGER IF EXISTS tenant_name_follows;
CREATE TRIGGER tenant_name_follows AFTER UPDATE OF full_name ON tenant WHEN NEW.full_name <> OLD.full_name
BEGIN
  UPDATE booking SET tenant_name = NEW.full_name, updated_at = NEW.updated_at, version = version + 1
  WHERE org_id = NEW.org_id AND tenant_id = NEW.id AND status IN ('DRAFT', 'PENDING', 'ACTIVE', 'CANCELLED');
END;
DROP TRIGGER IF EXISTS tenant_account_follows;
CREATE TRIGGER tenant_account_follows AFTER UPDATE OF user_id ON tenant WHEN NEW.user_id IS NOT OLD.user_id
BEGIN
  UPDATE booking SET tenant_user_id = NEW.user_id, updated_at = NEW.updated_at, version = version + 1 WHERE org_id = NEW.org_id AND tenant_id = NEW.id;
  UPDATE invoice SET tenant_user_id = NEW.user_id, updated_at = NEW.updated_at, version = version + 1
  WHERE +org_id = NEW.org_id AND booking_id IN (SELECT id FROM booking WHERE org_id = NEW.org_id AND tenant_id = NEW.id);
  UPDATE payment SET tenant_user_id = NEW.user_id, updated_at = NEW.updated_at, version = version + 1
  WHERE org_id = NEW.org_id AND booking_id IN (SELECT id FROM booking WHERE org_id = NEW.org_id AND tenant_id = NEW.id);
  UPDATE document SET tenant_user_id = NEW.user_id, updated_at = NEW.updated_at, version = version + 1
  WHERE org_id = NEW.org_id AND booking_id IN (SELECT id FROM booking WHERE org_id = NEW.org_id AND tenant_id = NEW.id);
END;
-- A lease's credit is what its confirmed payments left over.
DROP TRIGGER IF EXISTS payment_credit_insert;
CREATE TRIGGER payment_credit_insert AFTER INSERT ON payment WHEN NEW.unallocated_amount > 0
BEGIN
  UPDATE booking SET credit_amount = credit_amount + NEW.unallocated_amount, updated_at = NEW.updated_at, version = version + 1
  WHERE org_id = NEW.org_id AND id = NEW.booking_id;
END;
DROP TRIGGER IF EXISTS payment_credit_update;
CREATE TRIGGER payment_credit_update AFTER UPDATE OF unallocated_amount ON payment WHEN NEW.unallocated_amount <> OLD.unallocated_amount
BEGIN
  UPDATE booking SET credit_amount = credit_amount + NEW.unallocated_amount - OLD.unallocated_amount, updated_at = NEW.updated_at, version = version + 1
  WHERE org_id = NEW.org_id AND id = NEW.booking_id;
END;
-- How many rows of each kind an organization has.
DROP TRIGGER IF EXISTS property_counted;
CREATE TRIGGER property_counted AFTER INSERT ON property
BEGIN
  INSERT INTO row_count (org_id, kind, n) VALUES (NEW.org_id, 'property', 1) ON CONFLICT (org_id, kind) DO UPDATE SET n = n + 1;
END;
DROP TRIGGER IF EXISTS property_uncounted;
CREATE TRIGGER property_uncounted AFTER DELETE ON property
BEGIN
  UPDATE row_count SET n = n - 1 WHERE org_id = OLD.org_id AND kind = 'property';
END;
DROP TRIGGER IF EXISTS unit_counted;
CREATE TRIGGER unit_counted AFTER INSERT ON unit
BEGIN
  INSERT INTO row_count (org_id, kind, n) VALUES (NEW.org_id, 'unit', 1) ON CONFLICT (org_id, kind) DO UPDATE SET n = n + 1;
END;
DROP TRIGGER IF EXISTS unit_uncounted;
CREATE TRIGGER unit_uncounted AFTER DELETE ON unit
BEGIN
  UPDATE row_count SET n = n - 1 WHERE org_id = OLD.org_id AND kind = 'unit';
END;
DROP TRIGGER IF EXISTS tenant_counted;
CREATE TRIGGER tenant_counted AFTER INSERT ON tenant
BEGIN
  INSERT INTO row_count (org_id, kind, n) VALUES (NEW.org_id, 'tenant', 1) ON CONFLICT (org_id, kind) DO UPDATE SET n = n + 1;
END;
DROP TRIGGER IF EXISTS tenant_uncounted;
CREATE TRIGGER tenant_uncounted AFTER DELETE ON tenant
BEGIN
  UPDATE row_count SET n = n - 1 WHERE org_id = OLD.org_id AND kind = 'tenant';
END;
DROP TRIGGER IF EXISTS booking_counted;
CREATE TRIGGER booking_counted AFTER INSERT ON booking
BEGIN
  INSERT INTO row_count (org_id, kind, n) VALUES (NEW.org_id, 'booking', 1) ON CONFLICT (org_id, kind) DO UPDATE SET n = n + 1;
END;
DROP TRIGGER IF EXISTS booking_uncounted;
CREATE TRIGGER booking_uncounted AFTER DELETE ON booking
BEGIN
  UPDATE row_count SET n = n - 1 WHERE org_id = OLD.org_id AND kind = 'booking';
END;
DROP TRIGGER IF EXISTS money_message_counted;
CREATE TRIGGER money_message_counted AFTER INSERT ON money_message
BEGIN
  INSERT INTO row_count (org_id, kind, n) VALUES (NEW.org_id, 'money_message', 1) ON CONFLICT (org_id, kind) DO UPDATE SET n = n + 1;
END;
DROP TRIGGER IF EXISTS money_message_uncounted;
CREATE TRIGGER money_message_uncounted AFTER DELETE ON money_message
BEGIN
  UPDATE row_count SET n = n - 1 WHERE org_id = OLD.org_id AND kind = 'money_message';
END;
