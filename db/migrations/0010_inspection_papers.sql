PRAGMA foreign_keys=OFF;--> statement-breakpoint
CREATE TABLE `__new_document` (
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
	`signed_copy_media_id` text,
	FOREIGN KEY (`org_id`,`booking_id`) REFERENCES `booking`(`org_id`,`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "document_kind" CHECK("__new_document"."kind" in ('LEASE_CONTRACT','INVOICE','RECEIPT','STATEMENT','LEASE_NOTICE','INSPECTION')),
	CONSTRAINT "document_status" CHECK("__new_document"."status" in ('PENDING','READY','FAILED')),
	CONSTRAINT "document_file" CHECK(("__new_document"."sha256" is null) = ("__new_document"."status" <> 'READY')),
	CONSTRAINT "document_void" CHECK(("__new_document"."voided_at" is null) = ("__new_document"."void_reason" is null))
) STRICT;
--> statement-breakpoint
INSERT INTO `__new_document`("id", "org_id", "kind", "variant", "booking_id", "invoice_id", "payment_id", "property_id", "owner_user_id", "tenant_user_id", "source", "number", "locale", "issued_on", "code", "data", "status", "failure", "attempts", "render_at", "template_version", "sha256", "size_bytes", "void_reason", "voided_at", "created_at", "rendered_at", "updated_at", "version", "signed_copy_media_id") SELECT "id", "org_id", "kind", "variant", "booking_id", "invoice_id", "payment_id", "property_id", "owner_user_id", "tenant_user_id", "source", "number", "locale", "issued_on", "code", "data", "status", "failure", "attempts", "render_at", "template_version", "sha256", "size_bytes", "void_reason", "voided_at", "created_at", "rendered_at", "updated_at", "version", "signed_copy_media_id" FROM `document`;--> statement-breakpoint
DROP TABLE `document`;--> statement-breakpoint
ALTER TABLE `__new_document` RENAME TO `document`;--> statement-breakpoint
PRAGMA foreign_keys=ON;--> statement-breakpoint
CREATE UNIQUE INDEX `document_source` ON `document` (`org_id`,`source`);--> statement-breakpoint
CREATE UNIQUE INDEX `document_code` ON `document` (`code`);--> statement-breakpoint
CREATE INDEX `document_kind` ON `document` (`org_id`,`kind`,`id`);--> statement-breakpoint
CREATE INDEX `document_booking_id` ON `document` (`org_id`,`booking_id`,`id`);--> statement-breakpoint
CREATE INDEX `document_property_id` ON `document` (`org_id`,`property_id`,`id`);--> statement-breakpoint
CREATE INDEX `document_status` ON `document` (`org_id`,`status`,`id`);--> statement-breakpoint
CREATE INDEX `document_owner_user_id` ON `document` (`org_id`,`owner_user_id`,`id`);--> statement-breakpoint
CREATE INDEX `document_tenant_user_id` ON `document` (`org_id`,`tenant_user_id`,`id`);--> statement-breakpoint
CREATE INDEX `document_updated_at` ON `document` (`org_id`,`updated_at`,`id`);--> statement-breakpoint
CREATE INDEX `document_owner_user_id_updated_at` ON `document` (`org_id`,`owner_user_id`,`updated_at`,`id`);--> statement-breakpoint
CREATE INDEX `document_tenant_user_id_updated_at` ON `document` (`org_id`,`tenant_user_id`,`updated_at`,`id`);--> statement-breakpoint
CREATE INDEX `document_owner_user_id_kind` ON `document` (`org_id`,`owner_user_id`,`kind`,`id`);--> statement-breakpoint
CREATE INDEX `document_number` ON `document` (`org_id`,`number`);--> statement-breakpoint
CREATE INDEX `document_turn` ON `document` (`render_at`,`org_id`,`id`) WHERE render_at is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `document_org_id` ON `document` (`org_id`,`id`);