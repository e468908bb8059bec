CREATE TABLE `document` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`kind` text NOT NULL,
	`variant` text,
	`booking_id` text NOT NULL,
	`invoice_id` text,
	`payment_id` text,
	`property_id` text NOT NULL,
	`owner_user_id` text NOT NULL,
	`tenant_user_id` text,
	`source` text NOT NULL,
	`number` text NOT NULL,
	`locale` text NOT NULL,
	`issued_on` text NOT NULL,
	`code` text NOT NULL,
	`data` text NOT NULL,
	`status` text NOT NULL,
	`failure` text,
	`attempts` integer DEFAULT 0 NOT NULL,
	`render_at` integer,
	`template_version` integer,
	`sha256` text,
	`size_bytes` integer,
	`void_reason` text,
	`voided_at` text,
	`created_at` text NOT NULL,
	`rendered_at` text,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`org_id`,`booking_id`) REFERENCES `booking`(`org_id`,`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "document_kind" CHECK("document"."kind" in ('LEASE_CONTRACT','INVOICE','RECEIPT','STATEMENT')),
	CONSTRAINT "document_status" CHECK("document"."status" in ('PENDING','READY','FAILED')),
	CONSTRAINT "document_file" CHECK(("document"."sha256" is null) = ("document"."status" <> 'READY')),
	CONSTRAINT "document_void" CHECK(("document"."voided_at" is null) = ("document"."void_reason" is null))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `document_source` ON `document` (`org_id`,`source`);--> statement-breakpoint
CREATE UNIQUE INDEX `document_code` ON `document` (`code`);--> statement-breakpoint
CREATE INDEX `document_kind` ON `document` (`org_id`,`kind`,`id`);--> statement-breakpoint
CREATE INDEX `document_booking_id` ON `document` (`org_id`,`booking_id`,`id`);--> statement-breakpoint
CREATE INDEX `document_owner_user_id` ON `document` (`org_id`,`owner_user_id`,`id`);--> statement-breakpoint
CREATE INDEX `document_tenant_user_id` ON `document` (`org_id`,`tenant_user_id`,`id`);--> statement-breakpoint
CREATE INDEX `document_updated_at` ON `document` (`org_id`,`updated_at`,`id`);--> statement-breakpoint
CREATE INDEX `document_owner_user_id_updated_at` ON `document` (`org_id`,`owner_user_id`,`updated_at`,`id`);--> statement-breakpoint
CREATE INDEX `document_tenant_user_id_updated_at` ON `document` (`org_id`,`tenant_user_id`,`updated_at`,`id`);--> statement-breakpoint
CREATE INDEX `document_render` ON `document` (`render_at`,`id`) WHERE render_at is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `document_org_id` ON `document` (`org_id`,`id`);--> statement-breakpoint
CREATE TABLE `document_counter` (
	`org_id` text NOT NULL,
	`series` text NOT NULL,
	`last` integer NOT NULL,
	PRIMARY KEY(`org_id`, `series`),
	FOREIGN KEY (`org_id`) REFERENCES `organization`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE TABLE `lease_template` (
	`org_id` text NOT NULL,
	`kind` text NOT NULL,
	`version` integer NOT NULL,
	`clauses` text NOT NULL,
	`created_by` text NOT NULL,
	`created_at` text NOT NULL,
	PRIMARY KEY(`org_id`, `kind`, `version`),
	FOREIGN KEY (`org_id`) REFERENCES `organization`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "lease_template_kind" CHECK("lease_template"."kind" in ('HOME','BUSINESS'))
) STRICT;
