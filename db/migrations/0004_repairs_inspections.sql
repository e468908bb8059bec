CREATE TABLE `inspection` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`booking_id` text NOT NULL,
	`property_id` text NOT NULL,
	`owner_user_id` text NOT NULL,
	`tenant_user_id` text,
	`kind` text NOT NULL,
	`status` text NOT NULL,
	`inspected_on` text NOT NULL,
	`rooms` text NOT NULL,
	`meters` text NOT NULL,
	`key_count` integer,
	`note` text,
	`document_id` text,
	`started_by` text NOT NULL,
	`proposed_at` text,
	`signed_at` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`org_id`,`booking_id`) REFERENCES `booking`(`org_id`,`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`org_id`,`document_id`) REFERENCES `document`(`org_id`,`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "inspection_kind" CHECK("inspection"."kind" in ('ENTRY','EXIT')),
	CONSTRAINT "inspection_status" CHECK("inspection"."status" in ('DRAFT','PROPOSED','SIGNED')),
	CONSTRAINT "inspection_paper" CHECK(("inspection"."document_id" is null) = ("inspection"."status" = 'DRAFT'))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `inspection_kind_once` ON `inspection` (`org_id`,`booking_id`,`kind`);--> statement-breakpoint
CREATE INDEX `inspection_status` ON `inspection` (`org_id`,`status`,`id`);--> statement-breakpoint
CREATE INDEX `inspection_booking_id` ON `inspection` (`org_id`,`booking_id`,`id`);--> statement-breakpoint
CREATE INDEX `inspection_property_id` ON `inspection` (`org_id`,`property_id`,`id`);--> statement-breakpoint
CREATE INDEX `inspection_owner_user_id` ON `inspection` (`org_id`,`owner_user_id`,`id`);--> statement-breakpoint
CREATE INDEX `inspection_tenant_user_id` ON `inspection` (`org_id`,`tenant_user_id`,`id`);--> statement-breakpoint
CREATE INDEX `inspection_updated_at` ON `inspection` (`org_id`,`updated_at`,`id`);--> statement-breakpoint
CREATE INDEX `inspection_owner_user_id_updated_at` ON `inspection` (`org_id`,`owner_user_id`,`updated_at`,`id`);--> statement-breakpoint
CREATE INDEX `inspection_tenant_user_id_updated_at` ON `inspection` (`org_id`,`tenant_user_id`,`updated_at`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `inspection_org_id` ON `inspection` (`org_id`,`id`);--> statement-breakpoint
CREATE TABLE `inspection_photo` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`inspection_id` text NOT NULL,
	`place` text NOT NULL,
	`media_object_id` text NOT NULL,
	`sha256` text NOT NULL,
	`added_by` text NOT NULL,
	`created_at` text NOT NULL,
	FOREIGN KEY (`org_id`,`inspection_id`) REFERENCES `inspection`(`org_id`,`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`org_id`,`media_object_id`) REFERENCES `media_object`(`org_id`,`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `inspection_photo_once` ON `inspection_photo` (`org_id`,`inspection_id`,`media_object_id`);--> statement-breakpoint
CREATE INDEX `inspection_photo_org_id_inspection_id_id` ON `inspection_photo` (`org_id`,`inspection_id`,`id`);--> statement-breakpoint
CREATE INDEX `inspection_photo_media` ON `inspection_photo` (`org_id`,`media_object_id`);--> statement-breakpoint
CREATE TABLE `inspection_signature` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`inspection_id` text NOT NULL,
	`document_id` text NOT NULL,
	`sha256` text NOT NULL,
	`party` text NOT NULL,
	`user_id` text NOT NULL,
	`on_behalf` integer NOT NULL,
	`full_name` text NOT NULL,
	`remarks` text,
	`channel` text NOT NULL,
	`masked_number` text NOT NULL,
	`signed_at` text NOT NULL,
	`challenge_id` text NOT NULL,
	`request_id` text NOT NULL,
	`status` text NOT NULL,
	`voided_at` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`org_id`,`inspection_id`) REFERENCES `inspection`(`org_id`,`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`org_id`,`document_id`) REFERENCES `document`(`org_id`,`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "inspection_signature_party" CHECK("inspection_signature"."party" in ('LANDLORD','TENANT')),
	CONSTRAINT "inspection_signature_status" CHECK("inspection_signature"."status" in ('VALID','VOID'))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `inspection_signature_party` ON `inspection_signature` (`org_id`,`document_id`,`party`) WHERE status = 'VALID';--> statement-breakpoint
CREATE INDEX `inspection_signature_org_id_inspection_id_id` ON `inspection_signature` (`org_id`,`inspection_id`,`id`);--> statement-breakpoint
CREATE INDEX `inspection_signature_user` ON `inspection_signature` (`org_id`,`user_id`,`id`);--> statement-breakpoint
CREATE TABLE `repair` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`unit_id` text NOT NULL,
	`property_id` text NOT NULL,
	`owner_user_id` text NOT NULL,
	`booking_id` text,
	`tenant_user_id` text,
	`reported_by` text NOT NULL,
	`title` text NOT NULL,
	`description` text,
	`category` text NOT NULL,
	`urgency` text NOT NULL,
	`status` text NOT NULL,
	`planned_on` text,
	`done_on` text,
	`refusal_reason` text,
	`cost_amount` integer,
	`cost_currency` text,
	`cost_kind` text,
	`cost_on` text,
	`closed_at` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`org_id`,`unit_id`) REFERENCES `unit`(`org_id`,`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`org_id`,`property_id`) REFERENCES `property`(`org_id`,`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`org_id`,`booking_id`) REFERENCES `booking`(`org_id`,`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "repair_status" CHECK("repair"."status" in ('OPEN','SEEN','PLANNED','DONE','REFUSED')),
	CONSTRAINT "repair_cost" CHECK("repair"."cost_amount" between 0 and 1000000000000),
	CONSTRAINT "repair_refused" CHECK("repair"."status" <> 'REFUSED' or "repair"."refusal_reason" is not null),
	CONSTRAINT "repair_planned" CHECK("repair"."status" <> 'PLANNED' or "repair"."planned_on" is not null)
) STRICT;
--> statement-breakpoint
CREATE INDEX `repair_status` ON `repair` (`org_id`,`status`,`id`);--> statement-breakpoint
CREATE INDEX `repair_unit_id` ON `repair` (`org_id`,`unit_id`,`id`);--> statement-breakpoint
CREATE INDEX `repair_property_id` ON `repair` (`org_id`,`property_id`,`id`);--> statement-breakpoint
CREATE INDEX `repair_booking_id` ON `repair` (`org_id`,`booking_id`,`id`);--> statement-breakpoint
CREATE INDEX `repair_owner_user_id` ON `repair` (`org_id`,`owner_user_id`,`id`);--> statement-breakpoint
CREATE INDEX `repair_tenant_user_id` ON `repair` (`org_id`,`tenant_user_id`,`id`);--> statement-breakpoint
CREATE INDEX `repair_updated_at` ON `repair` (`org_id`,`updated_at`,`id`);--> statement-breakpoint
CREATE INDEX `repair_owner_user_id_updated_at` ON `repair` (`org_id`,`owner_user_id`,`updated_at`,`id`);--> statement-breakpoint
CREATE INDEX `repair_tenant_user_id_updated_at` ON `repair` (`org_id`,`tenant_user_id`,`updated_at`,`id`);--> statement-breakpoint
CREATE INDEX `repair_open` ON `repair` (`org_id`,`owner_user_id`) WHERE status in ('OPEN','SEEN','PLANNED');--> statement-breakpoint
CREATE UNIQUE INDEX `repair_org_id` ON `repair` (`org_id`,`id`);--> statement-breakpoint
CREATE TABLE `repair_entry` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`repair_id` text NOT NULL,
	`kind` text NOT NULL,
	`side` text NOT NULL,
	`author_user_id` text NOT NULL,
	`text` text,
	`planned_on` text,
	`media_object_id` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`org_id`,`repair_id`) REFERENCES `repair`(`org_id`,`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`org_id`,`media_object_id`) REFERENCES `media_object`(`org_id`,`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "repair_entry_kind" CHECK("repair_entry"."kind" in ('MESSAGE','PHOTO','SEEN','PLANNED','DONE','REFUSED','REOPENED')),
	CONSTRAINT "repair_entry_side" CHECK("repair_entry"."side" in ('LANDLORD','TENANT'))
) STRICT;
--> statement-breakpoint
CREATE INDEX `repair_entry_org_id_repair_id_id` ON `repair_entry` (`org_id`,`repair_id`,`id`);--> statement-breakpoint
CREATE INDEX `repair_entry_org_id_repair_id_updated_at_id` ON `repair_entry` (`org_id`,`repair_id`,`updated_at`,`id`);--> statement-breakpoint
CREATE INDEX `repair_entry_media` ON `repair_entry` (`org_id`,`media_object_id`) WHERE media_object_id is not null;--> statement-breakpoint
CREATE INDEX `repair_entry_author` ON `repair_entry` (`org_id`,`author_user_id`,`created_at`);