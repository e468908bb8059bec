CREATE TABLE `account` (
	`id` integer PRIMARY KEY NOT NULL,
	`balance` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `book` (
	`id` integer PRIMARY KEY NOT NULL,
	`last_seq` integer DEFAULT 0 NOT NULL,
	`closed_on` integer DEFAULT 0 NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `entry` (
	`id` integer PRIMARY KEY NOT NULL,
	`book` integer NOT NULL,
	`seq` integer NOT NULL,
	`day` integer NOT NULL,
	`kind` integer NOT NULL,
	`at` integer NOT NULL,
	`source` text
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `entry_seq` ON `entry` (`book`,`seq`);--> statement-breakpoint
CREATE INDEX `entry_source` ON `entry` (`source`) WHERE source is not null;--> statement-breakpoint
CREATE INDEX `entry_day` ON `entry` (`book`,`day`);--> statement-breakpoint
CREATE TABLE `holder` (
	`id` integer PRIMARY KEY NOT NULL,
	`book` integer NOT NULL,
	`property` integer,
	`ref` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `holder_ref` ON `holder` (`ref`);--> statement-breakpoint
CREATE INDEX `holder_property` ON `holder` (`property`) WHERE property is not null;--> statement-breakpoint
CREATE INDEX `holder_book` ON `holder` (`book`);--> statement-breakpoint
CREATE TABLE `posting` (
	`id` integer PRIMARY KEY NOT NULL,
	`day` integer NOT NULL,
	`debit` integer NOT NULL,
	`credit` integer NOT NULL,
	`amount` integer NOT NULL,
	`invoice` integer,
	CONSTRAINT "posting_amount" CHECK("posting"."amount" between 1 and 2000000000000),
	CONSTRAINT "posting_sides" CHECK("posting"."debit" <> "posting"."credit"),
	CONSTRAINT "posting_invoice" CHECK(("posting"."invoice" is null) = ("posting"."debit" & 31 <> 1 and "posting"."credit" & 31 <> 1))
) STRICT;
--> statement-breakpoint
CREATE INDEX `posting_debit` ON `posting` (`debit`,`day`,`credit`,`amount`);--> statement-breakpoint
CREATE INDEX `posting_credit` ON `posting` (`credit`,`day`,`debit`,`amount`);--> statement-breakpoint
PRAGMA foreign_keys=OFF;--> statement-breakpoint
CREATE TABLE `__new_invoice` (
	`row` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`org_id` text NOT NULL,
	`booking_id` text NOT NULL,
	`unit_id` text NOT NULL,
	`property_id` text NOT NULL,
	`owner_user_id` text NOT NULL,
	`tenant_id` text NOT NULL,
	`tenant_user_id` text,
	`tenant_name` text NOT NULL,
	`unit_label` text NOT NULL,
	`property_name` text NOT NULL,
	`number` text NOT NULL,
	`currency` text NOT NULL,
	`period_start` text NOT NULL,
	`period_end` text NOT NULL,
	`due_date` text NOT NULL,
	`gross_amount` integer NOT NULL,
	`net_amount` integer NOT NULL,
	`tva_amount` integer NOT NULL,
	`tva_basis_points` integer NOT NULL,
	`status` text NOT NULL,
	`amount_paid` integer DEFAULT 0 NOT NULL,
	`credited_amount` integer DEFAULT 0 NOT NULL,
	`lines` text NOT NULL,
	`replaced_by_id` text,
	`created_at` text NOT NULL,
	`paid_at` text,
	`cancelled_at` text,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`issued_on` text DEFAULT '' NOT NULL,
	`kind` text DEFAULT 'PERIOD' NOT NULL,
	`noted_amount` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`org_id`,`booking_id`) REFERENCES `booking`(`org_id`,`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "invoice_status" CHECK("__new_invoice"."status" in ('ISSUED','OVERDUE','PAID','CANCELLED')),
	CONSTRAINT "invoice_sum" CHECK("__new_invoice"."gross_amount" = "__new_invoice"."net_amount" + "__new_invoice"."tva_amount"),
	CONSTRAINT "invoice_paid" CHECK("__new_invoice"."amount_paid" between 0 and "__new_invoice"."gross_amount"),
	CONSTRAINT "invoice_gross" CHECK("__new_invoice"."gross_amount" between 0 and 2000000000000)
) STRICT;
--> statement-breakpoint
INSERT INTO `__new_invoice`("row", "id", "org_id", "booking_id", "unit_id", "property_id", "owner_user_id", "tenant_id", "tenant_user_id", "tenant_name", "unit_label", "property_name", "number", "currency", "period_start", "period_end", "due_date", "gross_amount", "net_amount", "tva_amount", "tva_basis_points", "status", "amount_paid", "credited_amount", "lines", "replaced_by_id", "created_at", "paid_at", "cancelled_at", "updated_at", "version", "issued_on", "kind", "noted_amount") SELECT rowid, "id", "org_id", "booking_id", "unit_id", "property_id", "owner_user_id", "tenant_id", "tenant_user_id", "tenant_name", "unit_label", "property_name", "number", "currency", "period_start", "period_end", "due_date", "gross_amount", "net_amount", "tva_amount", "tva_basis_points", "status", "amount_paid", "credited_amount", "lines", "replaced_by_id", "created_at", "paid_at", "cancelled_at", "updated_at", "version", "issued_on", "kind", "noted_amount" FROM `invoice`;--> statement-breakpoint
DROP TABLE `invoice`;--> statement-breakpoint
ALTER TABLE `__new_invoice` RENAME TO `invoice`;--> statement-breakpoint
PRAGMA foreign_keys=ON;--> statement-breakpoint
CREATE UNIQUE INDEX `invoice_org_id` ON `invoice` (`org_id`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `invoice_number` ON `invoice` (`org_id`,`number`);--> statement-breakpoint
CREATE INDEX `invoice_property_id` ON `invoice` (`property_id`);--> statement-breakpoint
CREATE INDEX `invoice_property_id_due_date` ON `invoice` (`property_id`,`due_date`);--> statement-breakpoint
CREATE INDEX `invoice_owner_user_id` ON `invoice` (`owner_user_id`);--> statement-breakpoint
CREATE INDEX `invoice_owner_user_id_due_date` ON `invoice` (`owner_user_id`,`due_date`);--> statement-breakpoint
CREATE INDEX `invoice_tenant_user_id` ON `invoice` (`tenant_user_id`) WHERE tenant_user_id is not null;--> statement-breakpoint
CREATE INDEX `invoice_status` ON `invoice` (`org_id`,`status`);--> statement-breakpoint
CREATE INDEX `invoice_due_date` ON `invoice` (`org_id`,`due_date`);--> statement-breakpoint
CREATE INDEX `invoice_updated_at` ON `invoice` (`org_id`,`updated_at`);--> statement-breakpoint
CREATE INDEX `invoice_property_id_status` ON `invoice` (`property_id`,`status`) WHERE status <> 'PAID';--> statement-breakpoint
CREATE INDEX `invoice_owner_user_id_status` ON `invoice` (`owner_user_id`,`status`) WHERE status <> 'PAID';--> statement-breakpoint
CREATE INDEX `invoice_status_due_date` ON `invoice` (`org_id`,`status`,`due_date`) WHERE status <> 'PAID';--> statement-breakpoint
CREATE INDEX `invoice_status_updated_at` ON `invoice` (`org_id`,`status`,`updated_at`) WHERE status <> 'PAID';--> statement-breakpoint
CREATE INDEX `invoice_property_open` ON `invoice` (`property_id`,`due_date`) WHERE status in ('ISSUED','OVERDUE');--> statement-breakpoint
CREATE INDEX `invoice_month` ON `invoice` (`owner_user_id`,`period_start`,`gross_amount`,`credited_amount`,`amount_paid`) WHERE status <> 'CANCELLED';--> statement-breakpoint
CREATE INDEX `invoice_open` ON `invoice` (`org_id`,`due_date`,`owner_user_id`,`booking_id`,`gross_amount`,`amount_paid`) WHERE status in ('ISSUED','OVERDUE');--> statement-breakpoint
CREATE INDEX `invoice_overdue` ON `invoice` (`due_date`) WHERE status = 'ISSUED';--> statement-breakpoint
CREATE UNIQUE INDEX `invoice_once` ON `invoice` (`booking_id`,`period_start`,case when replaced_by_id is null and kind = 'PERIOD' and status <> 'CANCELLED' then '' else id end);