CREATE TABLE `expense` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`property_id` text NOT NULL,
	`unit_id` text,
	`owner_user_id` text NOT NULL,
	`kind` text NOT NULL,
	`amount` integer NOT NULL,
	`tva_amount` integer,
	`currency` text NOT NULL,
	`spent_on` text NOT NULL,
	`paid_by` text NOT NULL,
	`supplier` text,
	`note` text,
	`chargeable` integer NOT NULL,
	`receipt_media_id` text,
	`status` text NOT NULL,
	`recorded_by` text NOT NULL,
	`repeat_every` text,
	`repeat_until` text,
	`next_on` text,
	`repeated` integer DEFAULT 0 NOT NULL,
	`repeat_of` text,
	`repeat_number` integer,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`org_id`,`property_id`) REFERENCES `property`(`org_id`,`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`org_id`,`unit_id`) REFERENCES `unit`(`org_id`,`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`org_id`,`receipt_media_id`) REFERENCES `media_object`(`org_id`,`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`org_id`,`repeat_of`) REFERENCES `expense`(`org_id`,`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "expense_kind" CHECK("expense"."kind" in ('REPAIR','WATER','POWER','CLEANING','GUARD','TAX','INSURANCE','FEE','OTHER')),
	CONSTRAINT "expense_payer" CHECK("expense"."paid_by" in ('OWNER','MANAGEMENT')),
	CONSTRAINT "expense_status" CHECK("expense"."status" in ('RECORDED','CANCELLED')),
	CONSTRAINT "expense_amount" CHECK("expense"."amount" between 1 and 1000000000000),
	CONSTRAINT "expense_tva" CHECK("expense"."tva_amount" between 0 and "expense"."amount"),
	CONSTRAINT "expense_repeat" CHECK(("expense"."repeat_every" is null) = ("expense"."repeat_until" is null)),
	CONSTRAINT "expense_series" CHECK(("expense"."repeat_of" is null) = ("expense"."repeat_number" is null))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `expense_series_once` ON `expense` (`org_id`,`repeat_of`,`repeat_number`) WHERE repeat_of is not null;--> statement-breakpoint
CREATE INDEX `expense_due` ON `expense` (`next_on`,`id`) WHERE next_on is not null;--> statement-breakpoint
CREATE INDEX `expense_receipt` ON `expense` (`org_id`,`receipt_media_id`) WHERE receipt_media_id is not null;--> statement-breakpoint
CREATE INDEX `expense_property_spent` ON `expense` (`org_id`,`property_id`,`spent_on`);--> statement-breakpoint
CREATE INDEX `expense_unit_id` ON `expense` (`org_id`,`unit_id`,`id`);--> statement-breakpoint
CREATE INDEX `expense_property_id` ON `expense` (`org_id`,`property_id`,`id`);--> statement-breakpoint
CREATE INDEX `expense_kind` ON `expense` (`org_id`,`kind`,`id`);--> statement-breakpoint
CREATE INDEX `expense_paid_by` ON `expense` (`org_id`,`paid_by`,`id`);--> statement-breakpoint
CREATE INDEX `expense_status` ON `expense` (`org_id`,`status`,`id`);--> statement-breakpoint
CREATE INDEX `expense_owner_user_id` ON `expense` (`org_id`,`owner_user_id`,`id`);--> statement-breakpoint
CREATE INDEX `expense_spent_on` ON `expense` (`org_id`,`spent_on`,`id`);--> statement-breakpoint
CREATE INDEX `expense_updated_at` ON `expense` (`org_id`,`updated_at`,`id`);--> statement-breakpoint
CREATE INDEX `expense_owner_user_id_spent_on` ON `expense` (`org_id`,`owner_user_id`,`spent_on`,`id`);--> statement-breakpoint
CREATE INDEX `expense_owner_user_id_updated_at` ON `expense` (`org_id`,`owner_user_id`,`updated_at`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `expense_org_id` ON `expense` (`org_id`,`id`);--> statement-breakpoint
CREATE TABLE `owner_transfer` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`property_id` text NOT NULL,
	`owner_user_id` text NOT NULL,
	`amount` integer NOT NULL,
	`currency` text NOT NULL,
	`method` text NOT NULL,
	`paid_on` text NOT NULL,
	`reference` text,
	`note` text,
	`status` text NOT NULL,
	`recorded_by` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`org_id`,`property_id`) REFERENCES `property`(`org_id`,`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "owner_transfer_status" CHECK("owner_transfer"."status" in ('RECORDED','CANCELLED')),
	CONSTRAINT "owner_transfer_amount" CHECK("owner_transfer"."amount" between 1 and 1000000000000)
) STRICT;
--> statement-breakpoint
CREATE INDEX `owner_transfer_property_paid` ON `owner_transfer` (`org_id`,`property_id`,`paid_on`);--> statement-breakpoint
CREATE INDEX `owner_transfer_property_id` ON `owner_transfer` (`org_id`,`property_id`,`id`);--> statement-breakpoint
CREATE INDEX `owner_transfer_status` ON `owner_transfer` (`org_id`,`status`,`id`);--> statement-breakpoint
CREATE INDEX `owner_transfer_owner_user_id` ON `owner_transfer` (`org_id`,`owner_user_id`,`id`);--> statement-breakpoint
CREATE INDEX `owner_transfer_paid_on` ON `owner_transfer` (`org_id`,`paid_on`,`id`);--> statement-breakpoint
CREATE INDEX `owner_transfer_updated_at` ON `owner_transfer` (`org_id`,`updated_at`,`id`);--> statement-breakpoint
CREATE INDEX `owner_transfer_owner_user_id_paid_on` ON `owner_transfer` (`org_id`,`owner_user_id`,`paid_on`,`id`);--> statement-breakpoint
CREATE INDEX `owner_transfer_owner_user_id_updated_at` ON `owner_transfer` (`org_id`,`owner_user_id`,`updated_at`,`id`);--> statement-breakpoint
ALTER TABLE `property` ADD `management_fees` text;