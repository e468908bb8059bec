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
	CONSTRAINT "challenge_attempts" CHECK("challenge"."attempts" between 0 and 5)
) STRICT;
--> statement-breakpoint
CREATE INDEX `challenge_live` ON `challenge` (`phone_number`,`purpose`,`expires_at`);--> statement-breakpoint
CREATE INDEX `challenge_expires` ON `challenge` (`expires_at`);--> statement-breakpoint
CREATE TABLE `code_send` (
	`id` text PRIMARY KEY NOT NULL,
	`phone_number` text NOT NULL,
	`prefix` text NOT NULL,
	`purpose` text NOT NULL,
	`address` text NOT NULL,
	`user_id` text,
	`sent_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `code_send_phone` ON `code_send` (`phone_number`,`sent_at`);--> statement-breakpoint
CREATE INDEX `code_send_prefix` ON `code_send` (`prefix`,`sent_at`);--> statement-breakpoint
CREATE INDEX `code_send_address` ON `code_send` (`address`,`sent_at`);--> statement-breakpoint
CREATE INDEX `code_send_user` ON `code_send` (`user_id`,`sent_at`);--> statement-breakpoint
CREATE INDEX `code_send_at` ON `code_send` (`sent_at`);--> statement-breakpoint
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
CREATE INDEX `verification_document_remind` ON `verification_document` (`org_id`,`remind_on`) WHERE remind_on is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `verification_document_once` ON `verification_document` (`org_id`,`case_id`,`media_object_id`);