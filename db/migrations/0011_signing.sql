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
ALTER TABLE `challenge` ADD `subject` text;