CREATE TABLE `rent_change` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`booking_id` text NOT NULL,
	`from_date` text NOT NULL,
	`rent_amount` integer NOT NULL,
	`previous_amount` integer NOT NULL,
	`reason` text,
	`status` text NOT NULL,
	`needs_agreement` integer NOT NULL,
	`document_id` text NOT NULL,
	`created_by` text NOT NULL,
	`signed_by` text,
	`signed_name` text,
	`signed_at` text,
	`channel` text,
	`masked_number` text,
	`media_object_id` text,
	`created_at` text NOT NULL,
	`cancelled_at` text,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`org_id`,`booking_id`) REFERENCES `booking`(`org_id`,`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`org_id`,`media_object_id`) REFERENCES `media_object`(`org_id`,`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "rent_change_status" CHECK("rent_change"."status" in ('PROPOSED','SCHEDULED','IN_FORCE','CANCELLED')),
	CONSTRAINT "rent_change_rent" CHECK("rent_change"."rent_amount" between 0 and 1000000000000),
	CONSTRAINT "rent_change_cancelled" CHECK(("rent_change"."status" = 'CANCELLED') = ("rent_change"."cancelled_at" is not null))
) STRICT;
--> statement-breakpoint
CREATE INDEX `rent_change_org_id_booking_id_id` ON `rent_change` (`org_id`,`booking_id`,`id`);--> statement-breakpoint
CREATE INDEX `rent_change_org_id_booking_id_updated_at_id` ON `rent_change` (`org_id`,`booking_id`,`updated_at`,`id`);--> statement-breakpoint
CREATE INDEX `rent_change_media` ON `rent_change` (`org_id`,`media_object_id`) WHERE media_object_id is not null;--> statement-breakpoint
CREATE INDEX `rent_change_signer` ON `rent_change` (`org_id`,`signed_by`,`id`) WHERE signed_by is not null;--> statement-breakpoint
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
	CONSTRAINT "document_kind" CHECK("__new_document"."kind" in ('LEASE_CONTRACT','INVOICE','RECEIPT','STATEMENT','LEASE_NOTICE')),
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
CREATE UNIQUE INDEX `document_org_id` ON `document` (`org_id`,`id`);--> statement-breakpoint
ALTER TABLE `booking` ADD `notice` text;--> statement-breakpoint
ALTER TABLE `booking` ADD `rent_by_agreement` integer;--> statement-breakpoint
ALTER TABLE `booking` ADD `next_rent_on` text;--> statement-breakpoint
ALTER TABLE `booking` ADD `next_rent_amount` integer;