CREATE TABLE `signature` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`booking_id` text NOT NULL,
	`document_id` text NOT NULL,
	`sha256` text NOT NULL,
	`party` text NOT NULL,
	`user_id` text NOT NULL,
	`on_behalf` integer NOT NULL,
	`full_name` text NOT NULL,
	`channel` text NOT NULL,
	`masked_number` text NOT NULL,
	`signed_at` text NOT NULL,
	`challenge_id` text NOT NULL,
	`request_id` text NOT NULL,
	`status` text NOT NULL,
	`void_reason` text,
	`voided_at` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`org_id`,`booking_id`) REFERENCES `booking`(`org_id`,`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`org_id`,`document_id`) REFERENCES `document`(`org_id`,`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "signature_party" CHECK("signature"."party" in ('LANDLORD','TENANT')),
	CONSTRAINT "signature_status" CHECK("signature"."status" in ('VALID','VOID')),
	CONSTRAINT "signature_void" CHECK(("signature"."status" = 'VOID') = ("signature"."void_reason" is not null and "signature"."voided_at" is not null))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `signature_party` ON `signature` (`org_id`,`document_id`,`party`) WHERE status = 'VALID';--> statement-breakpoint
CREATE INDEX `signature_org_id_booking_id_id` ON `signature` (`org_id`,`booking_id`,`id`);--> statement-breakpoint
CREATE INDEX `signature_org_id_booking_id_updated_at_id` ON `signature` (`org_id`,`booking_id`,`updated_at`,`id`);--> statement-breakpoint
CREATE INDEX `signature_user` ON `signature` (`org_id`,`user_id`,`id`);--> statement-breakpoint
CREATE TABLE `signed_copy` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`booking_id` text NOT NULL,
	`media_object_id` text NOT NULL,
	`sha256` text NOT NULL,
	`attached_by` text NOT NULL,
	`created_at` text NOT NULL,
	FOREIGN KEY (`org_id`,`booking_id`) REFERENCES `booking`(`org_id`,`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`org_id`,`media_object_id`) REFERENCES `media_object`(`org_id`,`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `signed_copy_booking` ON `signed_copy` (`org_id`,`booking_id`);--> statement-breakpoint
CREATE INDEX `signed_copy_media` ON `signed_copy` (`org_id`,`media_object_id`);--> statement-breakpoint
CREATE TABLE `deposit_entry` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`booking_id` text NOT NULL,
	`type` text NOT NULL,
	`amount` integer NOT NULL,
	`currency` text NOT NULL,
	`reason` text,
	`paid_on` text NOT NULL,
	`held_amount` integer NOT NULL,
	`recorded_by` text NOT NULL,
	`created_at` text NOT NULL,
	FOREIGN KEY (`org_id`,`booking_id`) REFERENCES `booking`(`org_id`,`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "deposit_entry_type" CHECK("deposit_entry"."type" in ('RECEIVED','DEDUCTED','RETURNED')),
	CONSTRAINT "deposit_entry_amount" CHECK("deposit_entry"."amount" between 1 and 1000000000000),
	CONSTRAINT "deposit_entry_held" CHECK("deposit_entry"."held_amount" >= 0),
	CONSTRAINT "deposit_entry_reason" CHECK("deposit_entry"."type" <> 'DEDUCTED' or "deposit_entry"."reason" is not null)
) STRICT;
--> statement-breakpoint
CREATE INDEX `deposit_entry_org_id_booking_id_id` ON `deposit_entry` (`org_id`,`booking_id`,`id`);--> statement-breakpoint
CREATE INDEX `deposit_entry_org_id_booking_id_created_at_id` ON `deposit_entry` (`org_id`,`booking_id`,`created_at`,`id`);--> statement-breakpoint
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
--> statement-breakpoint
CREATE TABLE `outbound_message` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text,
	`channel` text NOT NULL,
	`purpose` text NOT NULL,
	`vendor` text NOT NULL,
	`vendor_message_id` text,
	`masked_destination` text NOT NULL,
	`challenge_id` text,
	`instead_of` text,
	`status` text NOT NULL,
	`attempts` integer NOT NULL,
	`reason` text,
	`sealed` text,
	`next_at` integer,
	`expires_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`sent_at` integer,
	`updated_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `outbound_message_due` ON `outbound_message` (`next_at`) WHERE next_at is not null;--> statement-breakpoint
CREATE INDEX `outbound_message_vendor` ON `outbound_message` (`vendor_message_id`) WHERE vendor_message_id is not null;--> statement-breakpoint
CREATE INDEX `outbound_message_challenge` ON `outbound_message` (`challenge_id`) WHERE challenge_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `outbound_message_instead` ON `outbound_message` (`instead_of`) WHERE instead_of is not null;--> statement-breakpoint
CREATE INDEX `outbound_message_sealed` ON `outbound_message` (`expires_at`) WHERE sealed is not null;--> statement-breakpoint
CREATE INDEX `outbound_message_created` ON `outbound_message` (`created_at`);--> statement-breakpoint
CREATE TABLE `money_message` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`operator` text NOT NULL,
	`transaction_id` text NOT NULL,
	`amount` integer NOT NULL,
	`currency` text NOT NULL,
	`payer_number` text,
	`payer_name` text,
	`paid_on` text NOT NULL,
	`time` text,
	`status` text NOT NULL,
	`payment_id` text,
	`recorded_by` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`org_id`,`payment_id`) REFERENCES `payment`(`org_id`,`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "money_message_status" CHECK("money_message"."status" in ('UNMATCHED','MATCHED','DISMISSED')),
	CONSTRAINT "money_message_payment" CHECK(("money_message"."payment_id" is null) = ("money_message"."status" <> 'MATCHED')),
	CONSTRAINT "money_message_amount" CHECK("money_message"."amount" between 1 and 1000000000000)
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `money_message_once` ON `money_message` (`org_id`,`operator`,`transaction_id`);--> statement-breakpoint
CREATE INDEX `money_message_twin` ON `money_message` (`org_id`,`payer_number`,`paid_on`);--> statement-breakpoint
CREATE INDEX `money_message_payment` ON `money_message` (`org_id`,`payment_id`);--> statement-breakpoint
CREATE INDEX `money_message_status` ON `money_message` (`org_id`,`status`,`id`);--> statement-breakpoint
CREATE INDEX `money_message_org_id_recorded_by_status_id` ON `money_message` (`org_id`,`recorded_by`,`status`,`id`);--> statement-breakpoint
CREATE INDEX `money_message_org_id_status_updated_at_id` ON `money_message` (`org_id`,`status`,`updated_at`,`id`);--> statement-breakpoint
CREATE INDEX `money_message_org_id_recorded_by_status_updated_at_id` ON `money_message` (`org_id`,`recorded_by`,`status`,`updated_at`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `money_message_org_id` ON `money_message` (`org_id`,`id`);--> statement-breakpoint
CREATE TABLE `notice` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`booking_id` text NOT NULL,
	`invoice_id` text NOT NULL,
	`step` text NOT NULL,
	`amount` integer NOT NULL,
	`currency` text NOT NULL,
	`locale` text NOT NULL,
	`masked_destination` text NOT NULL,
	`once` text,
	`sent_by` text,
	`sent_on` text NOT NULL,
	`link_expires_at` text NOT NULL,
	`link_revoked_at` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`org_id`,`booking_id`) REFERENCES `booking`(`org_id`,`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`org_id`,`invoice_id`) REFERENCES `invoice`(`org_id`,`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "notice_step" CHECK("notice"."step" in ('RENT_CALL','UPCOMING','DUE','REMINDER','FINAL','FORMAL_NOTICE'))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `notice_once` ON `notice` (`org_id`,`invoice_id`,`once`) WHERE once is not null;--> statement-breakpoint
CREATE INDEX `notice_org_id_invoice_id_id` ON `notice` (`org_id`,`invoice_id`,`id`);--> statement-breakpoint
CREATE INDEX `notice_org_id_booking_id_id` ON `notice` (`org_id`,`booking_id`,`id`);--> statement-breakpoint
CREATE INDEX `notice_org_id_booking_id_updated_at_id` ON `notice` (`org_id`,`booking_id`,`updated_at`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `notice_org_id` ON `notice` (`org_id`,`id`);--> statement-breakpoint
CREATE TABLE `notice_letter` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`booking_id` text NOT NULL,
	`number` text NOT NULL,
	`locale` text NOT NULL,
	`data` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`render_at` integer,
	`template_version` integer,
	`sha256` text,
	`size_bytes` integer,
	`created_at` text NOT NULL,
	`rendered_at` text,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`org_id`,`id`) REFERENCES `notice`(`org_id`,`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "notice_letter_file" CHECK(("notice_letter"."sha256" is null) = ("notice_letter"."render_at" is not null))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `notice_letter_org_id` ON `notice_letter` (`org_id`,`id`);--> statement-breakpoint
CREATE INDEX `notice_letter_org_id_booking_id_id` ON `notice_letter` (`org_id`,`booking_id`,`id`);--> statement-breakpoint
CREATE INDEX `notice_letter_render` ON `notice_letter` (`render_at`,`id`) WHERE render_at is not null;--> statement-breakpoint
CREATE TABLE `export_run` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`created_by` text NOT NULL,
	`status` text NOT NULL,
	`sha256` text,
	`size_bytes` integer,
	`attempts` integer NOT NULL,
	`created_at` text NOT NULL,
	`finished_at` text,
	`purge_at` integer,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`org_id`,`created_by`) REFERENCES `app_user`(`org_id`,`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "export_run_status" CHECK("export_run"."status" in ('QUEUED','RUNNING','SUCCEEDED','FAILED','EXPIRED')),
	CONSTRAINT "export_run_file" CHECK(("export_run"."sha256" is null) = ("export_run"."status" <> 'SUCCEEDED'))
) STRICT;
--> statement-breakpoint
CREATE INDEX `export_run_open` ON `export_run` (`org_id`,`id`) WHERE status in ('QUEUED','RUNNING');--> statement-breakpoint
CREATE INDEX `export_run_waiting` ON `export_run` (`id`) WHERE status in ('QUEUED','RUNNING');--> statement-breakpoint
CREATE INDEX `export_run_purge` ON `export_run` (`purge_at`) WHERE purge_at is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `export_run_org_id` ON `export_run` (`org_id`,`id`);--> statement-breakpoint
CREATE TABLE `import_run` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`created_by` text NOT NULL,
	`kind` text NOT NULL,
	`dry_run` integer NOT NULL,
	`status` text NOT NULL,
	`media_object_id` text,
	`csv` text,
	`rows` integer NOT NULL,
	`rows_done` integer NOT NULL,
	`problem_count` integer NOT NULL,
	`problems` text NOT NULL,
	`created` text NOT NULL,
	`attempts` integer NOT NULL,
	`created_at` text NOT NULL,
	`finished_at` text,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`org_id`,`created_by`) REFERENCES `app_user`(`org_id`,`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "import_run_status" CHECK("import_run"."status" in ('QUEUED','RUNNING','SUCCEEDED','FAILED'))
) STRICT;
--> statement-breakpoint
CREATE INDEX `import_run_open` ON `import_run` (`org_id`,`id`) WHERE status in ('QUEUED','RUNNING');--> statement-breakpoint
CREATE INDEX `import_run_waiting` ON `import_run` (`id`) WHERE status in ('QUEUED','RUNNING');--> statement-breakpoint
CREATE UNIQUE INDEX `import_run_org_id` ON `import_run` (`org_id`,`id`);--> statement-breakpoint
CREATE TABLE `webhook_delivery` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`endpoint_id` text NOT NULL,
	`event_id` text NOT NULL,
	`type` text NOT NULL,
	`payload` text NOT NULL,
	`status` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`response_status` integer,
	`failure` text,
	`next_attempt_at` text,
	`delivered_at` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`org_id`,`endpoint_id`) REFERENCES `webhook_endpoint`(`org_id`,`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "webhook_delivery_status" CHECK("webhook_delivery"."status" in ('PENDING','DELIVERED','FAILED')),
	CONSTRAINT "webhook_delivery_waiting" CHECK(("webhook_delivery"."next_attempt_at" is null) = ("webhook_delivery"."status" <> 'PENDING'))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `webhook_delivery_once` ON `webhook_delivery` (`org_id`,`endpoint_id`,`event_id`);--> statement-breakpoint
CREATE INDEX `webhook_delivery_org_id_endpoint_id_id` ON `webhook_delivery` (`org_id`,`endpoint_id`,`id`);--> statement-breakpoint
CREATE INDEX `webhook_delivery_org_id_endpoint_id_status_id` ON `webhook_delivery` (`org_id`,`endpoint_id`,`status`,`id`);--> statement-breakpoint
CREATE INDEX `webhook_delivery_org_id_endpoint_id_updated_at_id` ON `webhook_delivery` (`org_id`,`endpoint_id`,`updated_at`,`id`);--> statement-breakpoint
CREATE INDEX `webhook_delivery_due` ON `webhook_delivery` (`org_id`,`endpoint_id`,`next_attempt_at`,`id`) WHERE status = 'PENDING';--> statement-breakpoint
CREATE INDEX `webhook_delivery_created` ON `webhook_delivery` (`created_at`);--> statement-breakpoint
CREATE TABLE `webhook_endpoint` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`url` text NOT NULL,
	`description` text,
	`events` text NOT NULL,
	`status` text NOT NULL,
	`secret_version` integer NOT NULL,
	`rotated_at` text,
	`failures` integer DEFAULT 0 NOT NULL,
	`paused_until` text NOT NULL,
	`created_by` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	CONSTRAINT "webhook_endpoint_status" CHECK("webhook_endpoint"."status" in ('ENABLED','DISABLED'))
) STRICT;
--> statement-breakpoint
CREATE INDEX `webhook_endpoint_updated_at` ON `webhook_endpoint` (`org_id`,`updated_at`,`id`);--> statement-breakpoint
CREATE INDEX `webhook_endpoint_open` ON `webhook_endpoint` (`paused_until`) WHERE status = 'ENABLED';--> statement-breakpoint
CREATE UNIQUE INDEX `webhook_endpoint_org_id` ON `webhook_endpoint` (`org_id`,`id`);--> statement-breakpoint
PRAGMA foreign_keys=OFF;--> statement-breakpoint
CREATE TABLE `__new_app_user` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`subject` text NOT NULL,
	`username` text,
	`email` text,
	`first_name` text,
	`last_name` text,
	`phone_number` text,
	`phone_verified` integer NOT NULL,
	`roles` text NOT NULL,
	`locale` text,
	`status` text NOT NULL,
	`not_before` integer,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`org_id`) REFERENCES `organization`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "app_user_status" CHECK("__new_app_user"."status" in ('INVITED','ACTIVE','DISABLED','ERASED'))
) STRICT;
--> statement-breakpoint
INSERT INTO `__new_app_user`("id", "org_id", "subject", "username", "email", "first_name", "last_name", "phone_number", "phone_verified", "roles", "locale", "status", "not_before", "created_at", "updated_at", "version") SELECT "id", "org_id", "subject", "username", "email", "first_name", "last_name", "phone_number", "phone_verified", "roles", "locale", "status", "not_before", "created_at", "updated_at", "version" FROM `app_user`;--> statement-breakpoint
DROP TABLE `app_user`;--> statement-breakpoint
ALTER TABLE `__new_app_user` RENAME TO `app_user`;--> statement-breakpoint
PRAGMA foreign_keys=ON;--> statement-breakpoint
CREATE UNIQUE INDEX `app_user_org_subject` ON `app_user` (`org_id`,`subject`);--> statement-breakpoint
CREATE INDEX `app_user_username` ON `app_user` (`username`);--> statement-breakpoint
CREATE INDEX `app_user_phone` ON `app_user` (`phone_number`,`id`);--> statement-breakpoint
CREATE INDEX `app_user_status` ON `app_user` (`org_id`,`status`,`id`);--> statement-breakpoint
CREATE INDEX `app_user_updated_at` ON `app_user` (`org_id`,`updated_at`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `app_user_org_id` ON `app_user` (`org_id`,`id`);--> statement-breakpoint
DROP INDEX `organization_time_zone`;--> statement-breakpoint
ALTER TABLE `organization` ADD `quiet_from` text;--> statement-breakpoint
ALTER TABLE `organization` ADD `quiet_to` text;--> statement-breakpoint
ALTER TABLE `organization` ADD `reminded_on` text;--> statement-breakpoint
CREATE INDEX `organization_time_zone` ON `organization` (`time_zone`,`id`);--> statement-breakpoint
ALTER TABLE `challenge` ADD `subject` text;--> statement-breakpoint
ALTER TABLE `delivery_report` ADD `early_id` text;--> statement-breakpoint
ALTER TABLE `delivery_report` ADD `early_status` text;--> statement-breakpoint
CREATE INDEX `delivery_report_early` ON `delivery_report` (`early_id`) WHERE early_id is not null;--> statement-breakpoint
ALTER TABLE `tenant` ADD `channel` text;--> statement-breakpoint
CREATE INDEX `invoice_property_id_due_date` ON `invoice` (`org_id`,`property_id`,`due_date`,`id`);--> statement-breakpoint
CREATE INDEX `invoice_status_due_date` ON `invoice` (`org_id`,`status`,`due_date`,`id`);--> statement-breakpoint
CREATE INDEX `invoice_status_updated_at` ON `invoice` (`org_id`,`status`,`updated_at`,`id`);--> statement-breakpoint
CREATE INDEX `invoice_owner_user_id_status` ON `invoice` (`org_id`,`owner_user_id`,`status`,`id`);--> statement-breakpoint
CREATE INDEX `invoice_property_period` ON `invoice` (`org_id`,`property_id`,`period_start`);--> statement-breakpoint
CREATE INDEX `invoice_property_open` ON `invoice` (`org_id`,`property_id`,`due_date`) WHERE status in ('ISSUED','OVERDUE');--> statement-breakpoint
CREATE INDEX `payment_status_paid_on` ON `payment` (`org_id`,`status`,`paid_on`,`id`);--> statement-breakpoint
CREATE INDEX `payment_status_updated_at` ON `payment` (`org_id`,`status`,`updated_at`,`id`);--> statement-breakpoint
CREATE INDEX `payment_owner_user_id_status` ON `payment` (`org_id`,`owner_user_id`,`status`,`id`);--> statement-breakpoint
CREATE INDEX `payment_property_paid` ON `payment` (`org_id`,`property_id`,`paid_on`);--> statement-breakpoint
CREATE INDEX `payment_proof` ON `payment` (`org_id`,`proof_media_id`) WHERE proof_media_id is not null;--> statement-breakpoint
CREATE INDEX `verification_case_lapsed` ON `verification_case` (`updated_at`) WHERE status in ('DRAFT','MORE_INFO_REQUESTED','REJECTED');