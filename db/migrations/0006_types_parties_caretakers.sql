CREATE TABLE `lease_party` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`booking_id` text NOT NULL,
	`role` text NOT NULL,
	`full_name` text NOT NULL,
	`phone_number` text,
	`id_type` text,
	`id_number` text,
	`address` text,
	`created_at` text NOT NULL,
	`removed_at` text,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`org_id`,`booking_id`) REFERENCES `booking`(`org_id`,`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "lease_party_role" CHECK("lease_party"."role" in ('CO_TENANT','GUARANTOR'))
) STRICT;
--> statement-breakpoint
CREATE INDEX `lease_party_org_id_booking_id_id` ON `lease_party` (`org_id`,`booking_id`,`id`);--> statement-breakpoint
CREATE INDEX `lease_party_org_id_booking_id_updated_at_id` ON `lease_party` (`org_id`,`booking_id`,`updated_at`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `lease_party_org_id` ON `lease_party` (`org_id`,`id`);--> statement-breakpoint
CREATE TABLE `assignment` (
	`org_id` text NOT NULL,
	`user_id` text NOT NULL,
	`property_id` text NOT NULL,
	`created_by` text NOT NULL,
	`created_at` text NOT NULL,
	PRIMARY KEY(`user_id`, `property_id`),
	FOREIGN KEY (`org_id`,`user_id`) REFERENCES `app_user`(`org_id`,`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`org_id`,`property_id`) REFERENCES `property`(`org_id`,`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `assignment_property` ON `assignment` (`org_id`,`property_id`,`user_id`);--> statement-breakpoint
PRAGMA foreign_keys=OFF;--> statement-breakpoint
CREATE TABLE `__new_signature` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`booking_id` text NOT NULL,
	`document_id` text NOT NULL,
	`sha256` text NOT NULL,
	`party` text NOT NULL,
	`user_id` text,
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
	`signer_id` text,
	FOREIGN KEY (`org_id`,`signer_id`) REFERENCES `lease_party`(`org_id`,`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`org_id`,`booking_id`) REFERENCES `booking`(`org_id`,`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`org_id`,`document_id`) REFERENCES `document`(`org_id`,`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "signature_party" CHECK("__new_signature"."party" in ('LANDLORD','TENANT','CO_TENANT','GUARANTOR')),
	CONSTRAINT "signature_signer" CHECK(("__new_signature"."party" in ('LANDLORD','TENANT')) = ("__new_signature"."signer_id" is null) and ("__new_signature"."signer_id" is null) = ("__new_signature"."user_id" is not null)),
	CONSTRAINT "signature_status" CHECK("__new_signature"."status" in ('VALID','VOID')),
	CONSTRAINT "signature_void" CHECK(("__new_signature"."status" = 'VOID') = ("__new_signature"."void_reason" is not null and "__new_signature"."voided_at" is not null))
) STRICT;
--> statement-breakpoint
INSERT INTO `__new_signature`("id", "org_id", "booking_id", "document_id", "sha256", "party", "user_id", "on_behalf", "full_name", "channel", "masked_number", "signed_at", "challenge_id", "request_id", "status", "void_reason", "voided_at", "created_at", "updated_at", "version", "signer_id") SELECT "id", "org_id", "booking_id", "document_id", "sha256", "party", "user_id", "on_behalf", "full_name", "channel", "masked_number", "signed_at", "challenge_id", "request_id", "status", "void_reason", "voided_at", "created_at", "updated_at", "version", NULL FROM `signature`;--> statement-breakpoint
DROP TABLE `signature`;--> statement-breakpoint
ALTER TABLE `__new_signature` RENAME TO `signature`;--> statement-breakpoint
PRAGMA foreign_keys=ON;--> statement-breakpoint
CREATE UNIQUE INDEX `signature_party` ON `signature` (`org_id`,`document_id`,`party`) WHERE status = 'VALID' and signer_id is null;--> statement-breakpoint
CREATE UNIQUE INDEX `signature_signer` ON `signature` (`org_id`,`signer_id`,`document_id`) WHERE status = 'VALID' and signer_id is not null;--> statement-breakpoint
CREATE INDEX `signature_org_id_booking_id_id` ON `signature` (`org_id`,`booking_id`,`id`);--> statement-breakpoint
CREATE INDEX `signature_org_id_booking_id_updated_at_id` ON `signature` (`org_id`,`booking_id`,`updated_at`,`id`);--> statement-breakpoint
CREATE INDEX `signature_user` ON `signature` (`org_id`,`user_id`,`id`);--> statement-breakpoint
ALTER TABLE `organization` ADD `confirm_cash` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `payment` ADD `received_by` text;--> statement-breakpoint
ALTER TABLE `unit` ADD `type` text;--> statement-breakpoint
ALTER TABLE `tenant` ADD `kind` text DEFAULT 'PERSON' NOT NULL;--> statement-breakpoint
ALTER TABLE `tenant` ADD `rccm` text;--> statement-breakpoint
ALTER TABLE `tenant` ADD `representative_name` text;--> statement-breakpoint
ALTER TABLE `tenant` ADD `representative_role` text;--> statement-breakpoint
ALTER TABLE `app_user` ADD `niu` text;--> statement-breakpoint
ALTER TABLE `app_user` ADD `id_type` text;--> statement-breakpoint
ALTER TABLE `app_user` ADD `id_number` text;--> statement-breakpoint
ALTER TABLE `app_user` ADD `address` text;--> statement-breakpoint
ALTER TABLE `app_user` ADD `limited` integer DEFAULT false NOT NULL;