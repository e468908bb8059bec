CREATE TABLE `booking` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`unit_id` text NOT NULL,
	`property_id` text NOT NULL,
	`owner_user_id` text NOT NULL,
	`tenant_id` text NOT NULL,
	`tenant_user_id` text,
	`tenant_name` text NOT NULL,
	`unit_label` text NOT NULL,
	`property_name` text NOT NULL,
	`start_date` text NOT NULL,
	`end_date` text,
	`rent_amount` integer NOT NULL,
	`rent_currency` text NOT NULL,
	`deposit_amount` integer,
	`deposit_currency` text,
	`tva_basis_points` integer NOT NULL,
	`notice_months` integer,
	`due_day` integer,
	`auto_renew` integer NOT NULL,
	`bill_from` text,
	`opening_balance` integer,
	`locale` text NOT NULL,
	`status` text NOT NULL,
	`requested_by` text,
	`renews_booking_id` text,
	`termination_reason` text,
	`credit_amount` integer DEFAULT 0 NOT NULL,
	`anchor_date` text NOT NULL,
	`next_period` integer DEFAULT 0 NOT NULL,
	`next_run_on` text,
	`created_at` text NOT NULL,
	`submitted_at` text,
	`activated_at` text,
	`terminated_at` text,
	`cancelled_at` text,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`vouched` integer DEFAULT false NOT NULL,
	`settlement` text,
	FOREIGN KEY (`org_id`,`unit_id`) REFERENCES `unit`(`org_id`,`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`org_id`,`property_id`) REFERENCES `property`(`org_id`,`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`org_id`,`tenant_id`) REFERENCES `tenant`(`org_id`,`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "booking_status" CHECK("booking"."status" in ('DRAFT','PENDING','ACTIVE','CANCELLED','TERMINATED')),
	CONSTRAINT "booking_dates" CHECK("booking"."end_date" is null or "booking"."end_date" >= "booking"."start_date"),
	CONSTRAINT "booking_rent" CHECK("booking"."rent_amount" between 0 and 1000000000000),
	CONSTRAINT "booking_deposit" CHECK("booking"."deposit_amount" between 0 and 1000000000000),
	CONSTRAINT "booking_credit" CHECK("booking"."credit_amount" >= 0)
) STRICT;
--> statement-breakpoint
CREATE INDEX `booking_status` ON `booking` (`org_id`,`status`,`id`);--> statement-breakpoint
CREATE INDEX `booking_unit_id` ON `booking` (`org_id`,`unit_id`,`id`);--> statement-breakpoint
CREATE INDEX `booking_property_id` ON `booking` (`org_id`,`property_id`,`id`);--> statement-breakpoint
CREATE INDEX `booking_tenant_id` ON `booking` (`org_id`,`tenant_id`,`id`);--> statement-breakpoint
CREATE INDEX `booking_owner_user_id` ON `booking` (`org_id`,`owner_user_id`,`id`);--> statement-breakpoint
CREATE INDEX `booking_tenant_user_id` ON `booking` (`org_id`,`tenant_user_id`,`id`);--> statement-breakpoint
CREATE INDEX `booking_updated_at` ON `booking` (`org_id`,`updated_at`,`id`);--> statement-breakpoint
CREATE INDEX `booking_owner_user_id_updated_at` ON `booking` (`org_id`,`owner_user_id`,`updated_at`,`id`);--> statement-breakpoint
CREATE INDEX `booking_tenant_user_id_updated_at` ON `booking` (`org_id`,`tenant_user_id`,`updated_at`,`id`);--> statement-breakpoint
CREATE INDEX `booking_unit_status` ON `booking` (`org_id`,`unit_id`,`status`);--> statement-breakpoint
CREATE INDEX `booking_due` ON `booking` (`next_run_on`) WHERE next_run_on is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `booking_org_id` ON `booking` (`org_id`,`id`);--> statement-breakpoint
CREATE TABLE `challenge` (
	`id` text PRIMARY KEY NOT NULL,
	`purpose` text NOT NULL,
	`phone_number` text NOT NULL,
	`user_id` text,
	`channel` text NOT NULL,
	`code_hash` text NOT NULL,
	`decoy` integer NOT NULL,
	`attempts` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`sent_at` integer NOT NULL,
	`used_at` integer,
	`subject` text,
	`asker` text,
	`joins` text,
	`kind` text DEFAULT 'OWN' NOT NULL,
	CONSTRAINT "challenge_attempts" CHECK("challenge"."attempts" between 0 and 5)
) STRICT;
--> statement-breakpoint
CREATE INDEX `challenge_live` ON `challenge` (`phone_number`,`purpose`,`expires_at`);--> statement-breakpoint
CREATE INDEX `challenge_expires` ON `challenge` (`expires_at`);--> statement-breakpoint
CREATE INDEX `challenge_user` ON `challenge` (`user_id`) WHERE user_id is not null;--> statement-breakpoint
CREATE TABLE `code_send` (
	`id` text PRIMARY KEY NOT NULL,
	`phone_number` text NOT NULL,
	`prefix` text NOT NULL,
	`purpose` text NOT NULL,
	`address` text NOT NULL,
	`user_id` text,
	`sent_at` integer NOT NULL,
	`challenge_id` text,
	`site` text DEFAULT '' NOT NULL,
	`kind` text DEFAULT 'STRANGER' NOT NULL,
	`status` text DEFAULT 'SENT' NOT NULL,
	`subject` text
) STRICT;
--> statement-breakpoint
CREATE INDEX `code_send_phone` ON `code_send` (`phone_number`,`sent_at`);--> statement-breakpoint
CREATE INDEX `code_send_prefix` ON `code_send` (`prefix`,`sent_at`);--> statement-breakpoint
CREATE INDEX `code_send_address` ON `code_send` (`address`,`sent_at`);--> statement-breakpoint
CREATE INDEX `code_send_user` ON `code_send` (`user_id`,`sent_at`);--> statement-breakpoint
CREATE INDEX `code_send_at` ON `code_send` (`sent_at`);--> statement-breakpoint
CREATE INDEX `code_send_site` ON `code_send` (`site`,`sent_at`);--> statement-breakpoint
CREATE INDEX `code_send_spent` ON `code_send` (`sent_at`,`kind`) WHERE status = 'SENT';--> statement-breakpoint
CREATE INDEX `code_send_challenge` ON `code_send` (`challenge_id`);--> statement-breakpoint
CREATE TABLE `consent` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`user_id` text NOT NULL,
	`document` text NOT NULL,
	`document_version` text NOT NULL,
	`locale` text NOT NULL,
	`text_sha256` text NOT NULL,
	`accepted_at` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `consent_user` ON `consent` (`org_id`,`user_id`,`id`);--> statement-breakpoint
CREATE TABLE `registration_ticket` (
	`hash` text PRIMARY KEY NOT NULL,
	`phone_number` text NOT NULL,
	`expires_at` integer NOT NULL,
	`taken_at` integer,
	`used_at` integer
) STRICT;
--> statement-breakpoint
CREATE INDEX `registration_ticket_expires` ON `registration_ticket` (`expires_at`);--> statement-breakpoint
CREATE INDEX `registration_ticket_phone` ON `registration_ticket` (`phone_number`);--> statement-breakpoint
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
	`signed_copy_media_id` text,
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
CREATE INDEX `document_turn` ON `document` (`render_at`,`org_id`,`id`) WHERE render_at is not null;--> statement-breakpoint
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
CREATE TABLE `budget_day` (
	`budget` text NOT NULL,
	`key` text NOT NULL,
	`day` integer NOT NULL,
	`spent` integer NOT NULL,
	PRIMARY KEY(`budget`, `key`, `day`)
) STRICT;
--> statement-breakpoint
CREATE INDEX `budget_day_day` ON `budget_day` (`day`);--> statement-breakpoint
CREATE TABLE `credential` (
	`user_id` text PRIMARY KEY NOT NULL,
	`password_hash` text NOT NULL,
	`failures` integer DEFAULT 0 NOT NULL,
	`locked_until` integer,
	`changed_at` text NOT NULL,
	`updated_at` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `app_user`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE TABLE `known_place` (
	`user_id` text NOT NULL,
	`place` text NOT NULL,
	`failures` integer DEFAULT 0 NOT NULL,
	`wait_until` integer,
	`last_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `place`)
) STRICT;
--> statement-breakpoint
CREATE INDEX `known_place_last` ON `known_place` (`last_at`);--> statement-breakpoint
CREATE TABLE `oidc_payload` (
	`model` text NOT NULL,
	`id` text NOT NULL,
	`payload` text NOT NULL,
	`grant_id` text,
	`uid` text,
	`user_code` text,
	`account_id` text,
	`expires_at` integer NOT NULL,
	`consumed_at` integer,
	PRIMARY KEY(`model`, `id`)
) STRICT;
--> statement-breakpoint
CREATE INDEX `oidc_payload_grant` ON `oidc_payload` (`grant_id`);--> statement-breakpoint
CREATE INDEX `oidc_payload_uid` ON `oidc_payload` (`uid`);--> statement-breakpoint
CREATE INDEX `oidc_payload_account` ON `oidc_payload` (`account_id`);--> statement-breakpoint
CREATE INDEX `oidc_payload_expires` ON `oidc_payload` (`expires_at`);--> statement-breakpoint
CREATE TABLE `second_factor` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`kind` text NOT NULL,
	`sealed` text,
	`credential_id` text,
	`public_key` text,
	`counter` integer NOT NULL,
	`created_at` text NOT NULL,
	`used_at` text,
	FOREIGN KEY (`user_id`) REFERENCES `app_user`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `second_factor_user` ON `second_factor` (`user_id`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `second_factor_credential` ON `second_factor` (`credential_id`);--> statement-breakpoint
CREATE TABLE `second_factor_code` (
	`user_id` text NOT NULL,
	`digest` text NOT NULL,
	PRIMARY KEY(`user_id`, `digest`),
	FOREIGN KEY (`user_id`) REFERENCES `app_user`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE TABLE `second_factor_try` (
	`user_id` text PRIMARY KEY NOT NULL,
	`failures` integer NOT NULL,
	`locked_until` integer,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `app_user`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE TABLE `signing_key` (
	`kid` text PRIMARY KEY NOT NULL,
	`alg` text NOT NULL,
	`public_jwk` text NOT NULL,
	`wrapped_jwk` text NOT NULL,
	`use_from` integer NOT NULL,
	`created_at` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `invoice` (
	`id` text PRIMARY KEY NOT NULL,
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
	FOREIGN KEY (`org_id`,`booking_id`) REFERENCES `booking`(`org_id`,`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "invoice_status" CHECK("invoice"."status" in ('ISSUED','OVERDUE','PAID','CANCELLED')),
	CONSTRAINT "invoice_sum" CHECK("invoice"."gross_amount" = "invoice"."net_amount" + "invoice"."tva_amount"),
	CONSTRAINT "invoice_paid" CHECK("invoice"."amount_paid" between 0 and "invoice"."gross_amount"),
	CONSTRAINT "invoice_gross" CHECK("invoice"."gross_amount" between 0 and 2000000000000)
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `invoice_org_id` ON `invoice` (`org_id`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `invoice_number` ON `invoice` (`org_id`,`number`);--> statement-breakpoint
CREATE INDEX `invoice_property_id` ON `invoice` (`property_id`);--> statement-breakpoint
CREATE INDEX `invoice_property_id_due_date` ON `invoice` (`property_id`,`due_date`);--> statement-breakpoint
CREATE INDEX `invoice_owner_user_id` ON `invoice` (`owner_user_id`);--> statement-breakpoint
CREATE INDEX `invoice_owner_user_id_due_date` ON `invoice` (`owner_user_id`,`due_date`);--> statement-breakpoint
CREATE INDEX `invoice_owner_user_id_updated_at` ON `invoice` (`owner_user_id`,`updated_at`);--> statement-breakpoint
CREATE INDEX `invoice_tenant_user_id` ON `invoice` (`tenant_user_id`) WHERE tenant_user_id is not null;--> statement-breakpoint
CREATE INDEX `invoice_status` ON `invoice` (`org_id`,`status`);--> statement-breakpoint
CREATE INDEX `invoice_due_date` ON `invoice` (`org_id`,`due_date`);--> statement-breakpoint
CREATE INDEX `invoice_updated_at` ON `invoice` (`org_id`,`updated_at`);--> statement-breakpoint
CREATE INDEX `invoice_property_id_status` ON `invoice` (`property_id`,`status`) WHERE status <> 'PAID';--> statement-breakpoint
CREATE INDEX `invoice_owner_user_id_status` ON `invoice` (`owner_user_id`,`status`) WHERE status <> 'PAID';--> statement-breakpoint
CREATE INDEX `invoice_status_due_date` ON `invoice` (`org_id`,`status`,`due_date`) WHERE status <> 'PAID';--> statement-breakpoint
CREATE INDEX `invoice_status_updated_at` ON `invoice` (`org_id`,`status`,`updated_at`) WHERE status <> 'PAID';--> statement-breakpoint
CREATE INDEX `invoice_property_open` ON `invoice` (`property_id`,`due_date`) WHERE status in ('ISSUED','OVERDUE');--> statement-breakpoint
CREATE INDEX `invoice_overdue` ON `invoice` (`due_date`) WHERE status = 'ISSUED';--> statement-breakpoint
CREATE UNIQUE INDEX `invoice_once` ON `invoice` (`booking_id`,`period_start`,case when replaced_by_id is null then '' else id end);--> statement-breakpoint
CREATE TABLE `invoice_counter` (
	`org_id` text NOT NULL,
	`year` text NOT NULL,
	`last` integer NOT NULL,
	PRIMARY KEY(`org_id`, `year`),
	FOREIGN KEY (`org_id`) REFERENCES `organization`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE TABLE `media_object` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`owner_type` text NOT NULL,
	`owner_id` text NOT NULL,
	`owner_user_id` text NOT NULL,
	`property_id` text,
	`kind` text NOT NULL,
	`filename` text NOT NULL,
	`content_type` text NOT NULL,
	`size_bytes` integer NOT NULL,
	`sha256` text,
	`status` text NOT NULL,
	`purge_at` integer,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`org_id`,`owner_user_id`) REFERENCES `app_user`(`org_id`,`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`org_id`,`property_id`) REFERENCES `property`(`org_id`,`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "media_object_owner_type" CHECK("media_object"."owner_type" in ('PROPERTY','UNIT','VERIFICATION','USER')),
	CONSTRAINT "media_object_kind" CHECK("media_object"."kind" in ('PHOTO','DOCUMENT')),
	CONSTRAINT "media_object_status" CHECK("media_object"."status" in ('PENDING','AVAILABLE')),
	CONSTRAINT "media_object_property" CHECK(("media_object"."property_id" is null) = ("media_object"."owner_type" in ('VERIFICATION','USER'))),
	CONSTRAINT "media_object_size" CHECK("media_object"."size_bytes" between 1 and 1073741824),
	CONSTRAINT "media_object_stored" CHECK(("media_object"."sha256" is null) = ("media_object"."status" = 'PENDING')),
	CONSTRAINT "media_object_waiting" CHECK(("media_object"."purge_at" is null) = ("media_object"."status" = 'AVAILABLE'))
) STRICT;
--> statement-breakpoint
CREATE INDEX `media_object_owner_id` ON `media_object` (`org_id`,`owner_id`,`id`);--> statement-breakpoint
CREATE INDEX `media_object_owner_type` ON `media_object` (`org_id`,`owner_type`,`id`);--> statement-breakpoint
CREATE INDEX `media_object_kind` ON `media_object` (`org_id`,`kind`,`id`);--> statement-breakpoint
CREATE INDEX `media_object_status` ON `media_object` (`org_id`,`status`,`id`);--> statement-breakpoint
CREATE INDEX `media_object_updated_at` ON `media_object` (`org_id`,`updated_at`,`id`);--> statement-breakpoint
CREATE INDEX `media_object_purge` ON `media_object` (`purge_at`) WHERE purge_at is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `media_object_org_id` ON `media_object` (`org_id`,`id`);--> statement-breakpoint
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
	`balance` text,
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
CREATE TABLE `audit_archive` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`before_day` text NOT NULL,
	`entries` integer NOT NULL,
	`last_row` integer NOT NULL,
	`size_bytes` integer NOT NULL,
	`sha256` text NOT NULL,
	`previous_sha256` text,
	`signature` text NOT NULL,
	`created_by` text NOT NULL,
	`created_at` text NOT NULL,
	`pruned_at` text
) STRICT;
--> statement-breakpoint
CREATE INDEX `audit_archive_org` ON `audit_archive` (`org_id`,`id`);--> statement-breakpoint
CREATE INDEX `audit_archive_created_at` ON `audit_archive` (`org_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `audit_archive_open` ON `audit_archive` (`id`) WHERE pruned_at is null;--> statement-breakpoint
CREATE TABLE `audit_entry` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`actor_user_id` text,
	`actor` text NOT NULL,
	`action` text NOT NULL,
	`subject_type` text NOT NULL,
	`subject_id` text NOT NULL,
	`before_digest` text,
	`after_digest` text,
	`details` text,
	`request_id` text NOT NULL,
	`created_at` text NOT NULL,
	`imported_at` text
) STRICT;
--> statement-breakpoint
CREATE INDEX `audit_entry_org` ON `audit_entry` (`org_id`,`id`);--> statement-breakpoint
CREATE INDEX `audit_entry_action` ON `audit_entry` (`org_id`,`action`,`id`);--> statement-breakpoint
CREATE INDEX `audit_entry_subject_id` ON `audit_entry` (`org_id`,`subject_id`,`id`);--> statement-breakpoint
CREATE INDEX `audit_entry_actor_user_id` ON `audit_entry` (`org_id`,`actor_user_id`,`id`);--> statement-breakpoint
CREATE INDEX `audit_entry_created_at` ON `audit_entry` (`org_id`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `delivery_report` (
	`key` text PRIMARY KEY NOT NULL,
	`created_at` integer NOT NULL,
	`early_id` text,
	`early_status` text
) STRICT;
--> statement-breakpoint
CREATE INDEX `delivery_report_created` ON `delivery_report` (`created_at`);--> statement-breakpoint
CREATE INDEX `delivery_report_early` ON `delivery_report` (`early_id`) WHERE early_id is not null;--> statement-breakpoint
CREATE TABLE `idempotency` (
	`scope` text NOT NULL,
	`key` text NOT NULL,
	`body_hash` text NOT NULL,
	`status` integer NOT NULL,
	`body` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`scope`, `key`)
) STRICT;
--> statement-breakpoint
CREATE INDEX `idempotency_created` ON `idempotency` (`created_at`);--> statement-breakpoint
CREATE TABLE `job` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text,
	`kind` text NOT NULL,
	`source` text NOT NULL,
	`payload` text,
	`status` text NOT NULL,
	`run_at` integer NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`last_error` text,
	`done_at` integer
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `job_once` ON `job` (`kind`,`source`);--> statement-breakpoint
CREATE INDEX `job_ready` ON `job` (`run_at`) WHERE status = 'READY';--> statement-breakpoint
CREATE INDEX `job_running` ON `job` (`run_at`) WHERE status = 'RUNNING';--> statement-breakpoint
CREATE INDEX `job_done` ON `job` (`done_at`) WHERE status = 'DONE';--> statement-breakpoint
CREATE INDEX `job_failed` ON `job` (`run_at`) WHERE status = 'FAILED';--> statement-breakpoint
CREATE TABLE `message` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text,
	`recipient` text NOT NULL,
	`channel` text NOT NULL,
	`purpose` text NOT NULL,
	`text` text NOT NULL,
	`code` text,
	`created_at` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `message_recipient` ON `message` (`recipient`,`id`);--> statement-breakpoint
CREATE TABLE `row_count` (
	`org_id` text NOT NULL,
	`kind` text NOT NULL,
	`n` integer NOT NULL,
	PRIMARY KEY(`org_id`, `kind`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `organization` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text,
	`address` text,
	`niu` text,
	`rccm` text,
	`tva_registered` integer NOT NULL,
	`time_zone` text NOT NULL,
	`locale` text NOT NULL,
	`due_day` integer,
	`issue_days_before` integer NOT NULL,
	`require_proof` integer NOT NULL,
	`reminder_schedule` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`quiet_from` text,
	`quiet_to` text,
	`reminded_on` text,
	`second_factor` text DEFAULT 'OFF' NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `organization_time_zone` ON `organization` (`time_zone`,`id`);--> statement-breakpoint
CREATE TABLE `setting` (
	`key` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `allocation` (
	`org_id` text NOT NULL,
	`payment_id` text NOT NULL,
	`target_id` text NOT NULL,
	`amount` integer NOT NULL,
	PRIMARY KEY(`payment_id`, `target_id`),
	FOREIGN KEY (`org_id`,`payment_id`) REFERENCES `payment`(`org_id`,`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "allocation_amount" CHECK("allocation"."amount" >= 0)
) STRICT;
--> statement-breakpoint
CREATE INDEX `allocation_target` ON `allocation` (`org_id`,`target_id`,`payment_id`);--> statement-breakpoint
CREATE TABLE `payment` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`booking_id` text NOT NULL,
	`property_id` text NOT NULL,
	`owner_user_id` text NOT NULL,
	`tenant_user_id` text,
	`type` text NOT NULL,
	`amount` integer NOT NULL,
	`currency` text NOT NULL,
	`method` text NOT NULL,
	`paid_on` text NOT NULL,
	`reference` text,
	`proof_media_id` text,
	`status` text NOT NULL,
	`invoice_ids` text NOT NULL,
	`unallocated_amount` integer DEFAULT 0 NOT NULL,
	`recorded_by` text NOT NULL,
	`decided_by` text,
	`note` text,
	`document_id` text,
	`created_at` text NOT NULL,
	`confirmed_at` text,
	`closed_at` text,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`org_id`,`booking_id`) REFERENCES `booking`(`org_id`,`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "payment_status" CHECK("payment"."status" in ('PENDING','CONFIRMED','REJECTED','REVERSED')),
	CONSTRAINT "payment_amount" CHECK("payment"."amount" between 1 and 1000000000000),
	CONSTRAINT "payment_rest" CHECK("payment"."unallocated_amount" between 0 and "payment"."amount")
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `payment_reference` ON `payment` (`org_id`,`method`,`reference`) WHERE reference is not null and status in ('PENDING','CONFIRMED');--> statement-breakpoint
CREATE INDEX `payment_status` ON `payment` (`org_id`,`status`,`id`);--> statement-breakpoint
CREATE INDEX `payment_booking_id` ON `payment` (`org_id`,`booking_id`,`id`);--> statement-breakpoint
CREATE INDEX `payment_property_id` ON `payment` (`org_id`,`property_id`,`id`);--> statement-breakpoint
CREATE INDEX `payment_owner_user_id` ON `payment` (`org_id`,`owner_user_id`,`id`);--> statement-breakpoint
CREATE INDEX `payment_tenant_user_id` ON `payment` (`org_id`,`tenant_user_id`,`id`);--> statement-breakpoint
CREATE INDEX `payment_paid_on` ON `payment` (`org_id`,`paid_on`,`id`);--> statement-breakpoint
CREATE INDEX `payment_updated_at` ON `payment` (`org_id`,`updated_at`,`id`);--> statement-breakpoint
CREATE INDEX `payment_owner_user_id_paid_on` ON `payment` (`org_id`,`owner_user_id`,`paid_on`,`id`);--> statement-breakpoint
CREATE INDEX `payment_owner_user_id_updated_at` ON `payment` (`org_id`,`owner_user_id`,`updated_at`,`id`);--> statement-breakpoint
CREATE INDEX `payment_tenant_user_id_paid_on` ON `payment` (`org_id`,`tenant_user_id`,`paid_on`,`id`);--> statement-breakpoint
CREATE INDEX `payment_tenant_user_id_updated_at` ON `payment` (`org_id`,`tenant_user_id`,`updated_at`,`id`);--> statement-breakpoint
CREATE INDEX `payment_status_paid_on` ON `payment` (`org_id`,`status`,`paid_on`,`id`);--> statement-breakpoint
CREATE INDEX `payment_status_updated_at` ON `payment` (`org_id`,`status`,`updated_at`,`id`);--> statement-breakpoint
CREATE INDEX `payment_owner_user_id_status` ON `payment` (`org_id`,`owner_user_id`,`status`,`id`);--> statement-breakpoint
CREATE INDEX `payment_property_paid` ON `payment` (`org_id`,`property_id`,`paid_on`);--> statement-breakpoint
CREATE INDEX `payment_proof` ON `payment` (`org_id`,`proof_media_id`) WHERE proof_media_id is not null;--> statement-breakpoint
CREATE INDEX `payment_credit` ON `payment` (`org_id`,`booking_id`,`id`) WHERE unallocated_amount > 0;--> statement-breakpoint
CREATE UNIQUE INDEX `payment_org_id` ON `payment` (`org_id`,`id`);--> statement-breakpoint
CREATE TABLE `property` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`owner_user_id` text NOT NULL,
	`name` text NOT NULL,
	`address_line` text NOT NULL,
	`city` text NOT NULL,
	`province` text,
	`quartier` text,
	`latitude` real,
	`longitude` real,
	`amenities` text NOT NULL,
	`type` text NOT NULL,
	`status` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`org_id`,`owner_user_id`) REFERENCES `app_user`(`org_id`,`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "property_status" CHECK("property"."status" in ('DRAFT','PUBLISHED','ARCHIVED')),
	CONSTRAINT "property_type" CHECK("property"."type" in ('APARTMENT','STUDIO','HOUSE','VILLA','OFFICE','COMMERCIAL','LAND')),
	CONSTRAINT "property_place" CHECK(("property"."latitude" is null) = ("property"."longitude" is null))
) STRICT;
--> statement-breakpoint
CREATE INDEX `property_status` ON `property` (`org_id`,`status`,`id`);--> statement-breakpoint
CREATE INDEX `property_type` ON `property` (`org_id`,`type`,`id`);--> statement-breakpoint
CREATE INDEX `property_city` ON `property` (`org_id`,`city`,`id`);--> statement-breakpoint
CREATE INDEX `property_owner_user_id` ON `property` (`org_id`,`owner_user_id`,`id`);--> statement-breakpoint
CREATE INDEX `property_updated_at` ON `property` (`org_id`,`updated_at`,`id`);--> statement-breakpoint
CREATE INDEX `property_owner_user_id_updated_at` ON `property` (`org_id`,`owner_user_id`,`updated_at`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `property_org_id` ON `property` (`org_id`,`id`);--> statement-breakpoint
CREATE TABLE `unit` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`property_id` text NOT NULL,
	`label` text NOT NULL,
	`area_sqm` real,
	`bedrooms` integer,
	`bathrooms` integer,
	`rent_amount` integer,
	`rent_currency` text,
	`status` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`org_id`,`property_id`) REFERENCES `property`(`org_id`,`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "unit_status" CHECK("unit"."status" in ('AVAILABLE','RESERVED','OCCUPIED','MAINTENANCE','ARCHIVED')),
	CONSTRAINT "unit_rent" CHECK("unit"."rent_amount" between 0 and 1000000000000)
) STRICT;
--> statement-breakpoint
CREATE INDEX `unit_property` ON `unit` (`org_id`,`property_id`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `unit_org_id` ON `unit` (`org_id`,`id`);--> statement-breakpoint
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
	`withheld` text,
	`send_after` text,
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
CREATE TABLE `tenant` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`full_name` text NOT NULL,
	`phone_number` text,
	`id_type` text,
	`id_number` text,
	`niu` text,
	`address` text,
	`locale` text NOT NULL,
	`user_id` text,
	`created_by` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`channel` text,
	FOREIGN KEY (`org_id`,`user_id`) REFERENCES `app_user`(`org_id`,`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `tenant_org_number` ON `tenant` (`org_id`,`phone_number`);--> statement-breakpoint
CREATE INDEX `tenant_org_account` ON `tenant` (`org_id`,`user_id`);--> statement-breakpoint
CREATE INDEX `tenant_phone` ON `tenant` (`phone_number`);--> statement-breakpoint
CREATE INDEX `tenant_updated_at` ON `tenant` (`org_id`,`updated_at`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `tenant_org_id` ON `tenant` (`org_id`,`id`);--> statement-breakpoint
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
	`made_as` text,
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
CREATE TABLE `app_user` (
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
	CONSTRAINT "app_user_status" CHECK("app_user"."status" in ('INVITED','ACTIVE','DISABLED','ERASED'))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `app_user_org_subject` ON `app_user` (`org_id`,`subject`);--> statement-breakpoint
CREATE INDEX `app_user_username` ON `app_user` (`username`);--> statement-breakpoint
CREATE INDEX `app_user_phone` ON `app_user` (`phone_number`,`id`);--> statement-breakpoint
CREATE INDEX `app_user_status` ON `app_user` (`org_id`,`status`,`id`);--> statement-breakpoint
CREATE INDEX `app_user_updated_at` ON `app_user` (`org_id`,`updated_at`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `app_user_org_id` ON `app_user` (`org_id`,`id`);--> statement-breakpoint
CREATE TABLE `phone_undo` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`user_id` text NOT NULL,
	`old_number` text NOT NULL,
	`new_number` text NOT NULL,
	`changed_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`used_at` integer
) STRICT;
--> statement-breakpoint
CREATE INDEX `phone_undo_user` ON `phone_undo` (`user_id`,`id`);--> statement-breakpoint
CREATE INDEX `phone_undo_expires` ON `phone_undo` (`expires_at`);--> statement-breakpoint
CREATE TABLE `verification_case` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`kind` text NOT NULL,
	`proof_type` text,
	`property_id` text,
	`subject_user_id` text NOT NULL,
	`created_by` text NOT NULL,
	`status` text NOT NULL,
	`assigned_to` text,
	`reviewed_by` text,
	`review_note` text,
	`created_at` text NOT NULL,
	`submitted_at` text,
	`reviewed_at` text,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`submitted_by` text,
	FOREIGN KEY (`org_id`,`subject_user_id`) REFERENCES `app_user`(`org_id`,`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`org_id`,`property_id`) REFERENCES `property`(`org_id`,`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "verification_case_kind" CHECK("verification_case"."kind" in ('OWNER_KYC','PROPERTY_PROOF')),
	CONSTRAINT "verification_case_of" CHECK(("verification_case"."property_id" is null) = ("verification_case"."kind" = 'OWNER_KYC') and ("verification_case"."proof_type" is null) = ("verification_case"."kind" = 'OWNER_KYC')),
	CONSTRAINT "verification_case_status" CHECK("verification_case"."status" in ('DRAFT','SUBMITTED','UNDER_REVIEW','MORE_INFO_REQUESTED','APPROVED','REJECTED','REVOKED'))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `verification_open_kyc` ON `verification_case` (`org_id`,`subject_user_id`) WHERE kind = 'OWNER_KYC' and status in ('DRAFT','SUBMITTED','UNDER_REVIEW','MORE_INFO_REQUESTED');--> statement-breakpoint
CREATE UNIQUE INDEX `verification_open_proof` ON `verification_case` (`org_id`,`property_id`) WHERE kind = 'PROPERTY_PROOF' and status in ('DRAFT','SUBMITTED','UNDER_REVIEW','MORE_INFO_REQUESTED');--> statement-breakpoint
CREATE INDEX `verification_case_status` ON `verification_case` (`org_id`,`status`,`id`);--> statement-breakpoint
CREATE INDEX `verification_case_kind` ON `verification_case` (`org_id`,`kind`,`id`);--> statement-breakpoint
CREATE INDEX `verification_case_assigned_to` ON `verification_case` (`org_id`,`assigned_to`,`id`);--> statement-breakpoint
CREATE INDEX `verification_case_property_id` ON `verification_case` (`org_id`,`property_id`,`id`);--> statement-breakpoint
CREATE INDEX `verification_case_subject_user_id` ON `verification_case` (`org_id`,`subject_user_id`,`id`);--> statement-breakpoint
CREATE INDEX `verification_case_updated_at` ON `verification_case` (`org_id`,`updated_at`,`id`);--> statement-breakpoint
CREATE INDEX `verification_case_lapsed` ON `verification_case` (`updated_at`) WHERE status in ('DRAFT','MORE_INFO_REQUESTED','REJECTED');--> statement-breakpoint
CREATE UNIQUE INDEX `verification_case_org_id` ON `verification_case` (`org_id`,`id`);--> statement-breakpoint
CREATE TABLE `verification_document` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`case_id` text NOT NULL,
	`media_object_id` text NOT NULL,
	`role` text NOT NULL,
	`document_type` text,
	`certifying_authority` text,
	`certificate_ref` text,
	`certified_on` text,
	`expires_on` text,
	`remind_on` text,
	`created_at` text NOT NULL,
	FOREIGN KEY (`org_id`,`case_id`) REFERENCES `verification_case`(`org_id`,`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`org_id`,`media_object_id`) REFERENCES `media_object`(`org_id`,`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "verification_document_role" CHECK("verification_document"."role" in ('SELF_ID','PROOF_OF_OWNERSHIP','ATTESTATION','OWNER_MANDATE','OWNER_ID','OTHER'))
) STRICT;
--> statement-breakpoint
CREATE INDEX `verification_document_case` ON `verification_document` (`org_id`,`case_id`,`id`);--> statement-breakpoint
CREATE INDEX `verification_document_media` ON `verification_document` (`org_id`,`media_object_id`);--> statement-breakpoint
CREATE INDEX `verification_document_remind` ON `verification_document` (`remind_on`,`org_id`) WHERE remind_on is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `verification_document_once` ON `verification_document` (`org_id`,`case_id`,`media_object_id`);--> statement-breakpoint
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
	`tried_until` text,
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
CREATE UNIQUE INDEX `webhook_endpoint_org_id` ON `webhook_endpoint` (`org_id`,`id`);