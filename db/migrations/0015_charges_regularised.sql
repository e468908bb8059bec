CREATE TABLE `meter` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`unit_id` text NOT NULL,
	`property_id` text NOT NULL,
	`owner_user_id` text NOT NULL,
	`kind` text NOT NULL,
	`number` text,
	`measure` text NOT NULL,
	`retired_at` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`org_id`,`unit_id`) REFERENCES `unit`(`org_id`,`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`org_id`,`property_id`) REFERENCES `property`(`org_id`,`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "meter_kind" CHECK("meter"."kind" in ('WATER','POWER','GAS','OTHER'))
) STRICT;
--> statement-breakpoint
CREATE INDEX `meter_unit_id` ON `meter` (`org_id`,`unit_id`,`id`);--> statement-breakpoint
CREATE INDEX `meter_property_id` ON `meter` (`org_id`,`property_id`,`id`);--> statement-breakpoint
CREATE INDEX `meter_owner_user_id` ON `meter` (`org_id`,`owner_user_id`,`id`);--> statement-breakpoint
CREATE INDEX `meter_updated_at` ON `meter` (`org_id`,`updated_at`,`id`);--> statement-breakpoint
CREATE INDEX `meter_owner_user_id_updated_at` ON `meter` (`org_id`,`owner_user_id`,`updated_at`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `meter_org_id` ON `meter` (`org_id`,`id`);--> statement-breakpoint
CREATE TABLE `meter_reading` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`meter_id` text NOT NULL,
	`unit_id` text NOT NULL,
	`property_id` text NOT NULL,
	`owner_user_id` text NOT NULL,
	`read_on` text NOT NULL,
	`thousandths` integer NOT NULL,
	`final_thousandths` integer,
	`media_object_id` text,
	`recorded_by` text NOT NULL,
	`status` text NOT NULL,
	`billed` integer DEFAULT 0 NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`org_id`,`meter_id`) REFERENCES `meter`(`org_id`,`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`org_id`,`media_object_id`) REFERENCES `media_object`(`org_id`,`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "meter_reading_status" CHECK("meter_reading"."status" in ('RECORDED','CANCELLED')),
	CONSTRAINT "meter_reading_value" CHECK("meter_reading"."thousandths" between 0 and 1000000000000),
	CONSTRAINT "meter_reading_final" CHECK("meter_reading"."final_thousandths" between 0 and 1000000000000)
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `meter_reading_day` ON `meter_reading` (`org_id`,`meter_id`,`read_on`) WHERE status = 'RECORDED';--> statement-breakpoint
CREATE INDEX `meter_reading_media` ON `meter_reading` (`org_id`,`media_object_id`) WHERE media_object_id is not null;--> statement-breakpoint
CREATE INDEX `meter_reading_meter_id` ON `meter_reading` (`org_id`,`meter_id`,`id`);--> statement-breakpoint
CREATE INDEX `meter_reading_unit_id` ON `meter_reading` (`org_id`,`unit_id`,`id`);--> statement-breakpoint
CREATE INDEX `meter_reading_property_id` ON `meter_reading` (`org_id`,`property_id`,`id`);--> statement-breakpoint
CREATE INDEX `meter_reading_owner_user_id` ON `meter_reading` (`org_id`,`owner_user_id`,`id`);--> statement-breakpoint
CREATE INDEX `meter_reading_read_on` ON `meter_reading` (`org_id`,`read_on`,`id`);--> statement-breakpoint
CREATE INDEX `meter_reading_updated_at` ON `meter_reading` (`org_id`,`updated_at`,`id`);--> statement-breakpoint
CREATE INDEX `meter_reading_owner_user_id_read_on` ON `meter_reading` (`org_id`,`owner_user_id`,`read_on`,`id`);--> statement-breakpoint
CREATE INDEX `meter_reading_owner_user_id_updated_at` ON `meter_reading` (`org_id`,`owner_user_id`,`updated_at`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `meter_reading_org_id` ON `meter_reading` (`org_id`,`id`);--> statement-breakpoint
CREATE TABLE `regularisation` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`property_id` text NOT NULL,
	`owner_user_id` text NOT NULL,
	`period_start` text NOT NULL,
	`period_end` text NOT NULL,
	`status` text NOT NULL,
	`issued_on` text NOT NULL,
	`due_date` text NOT NULL,
	`items` text NOT NULL,
	`cost_amount` integer NOT NULL,
	`charged_amount` integer NOT NULL,
	`provision_amount` integer NOT NULL,
	`issued_by` text NOT NULL,
	`cancelled_at` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`org_id`,`property_id`) REFERENCES `property`(`org_id`,`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "regularisation_status" CHECK("regularisation"."status" in ('ISSUED','CANCELLED')),
	CONSTRAINT "regularisation_period" CHECK("regularisation"."period_end" >= "regularisation"."period_start")
) STRICT;
--> statement-breakpoint
CREATE INDEX `regularisation_property_end` ON `regularisation` (`org_id`,`property_id`,`period_end`);--> statement-breakpoint
CREATE INDEX `regularisation_property_id` ON `regularisation` (`org_id`,`property_id`,`id`);--> statement-breakpoint
CREATE INDEX `regularisation_status` ON `regularisation` (`org_id`,`status`,`id`);--> statement-breakpoint
CREATE INDEX `regularisation_owner_user_id` ON `regularisation` (`org_id`,`owner_user_id`,`id`);--> statement-breakpoint
CREATE INDEX `regularisation_updated_at` ON `regularisation` (`org_id`,`updated_at`,`id`);--> statement-breakpoint
CREATE INDEX `regularisation_owner_user_id_updated_at` ON `regularisation` (`org_id`,`owner_user_id`,`updated_at`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `regularisation_org_id` ON `regularisation` (`org_id`,`id`);--> statement-breakpoint
CREATE TABLE `regularisation_share` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`regularisation_id` text NOT NULL,
	`booking_id` text NOT NULL,
	`unit_id` text NOT NULL,
	`days` integer NOT NULL,
	`items` text NOT NULL,
	`amount` integer NOT NULL,
	`provision_amount` integer NOT NULL,
	`invoice_id` text,
	`provisions` text NOT NULL,
	`credited` text NOT NULL,
	`moved` text NOT NULL,
	`reading_ids` text NOT NULL,
	`created_at` text NOT NULL,
	FOREIGN KEY (`org_id`,`regularisation_id`) REFERENCES `regularisation`(`org_id`,`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`org_id`,`booking_id`) REFERENCES `booking`(`org_id`,`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`org_id`,`invoice_id`) REFERENCES `invoice`(`org_id`,`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `regularisation_share_of` ON `regularisation_share` (`org_id`,`regularisation_id`,`id`);--> statement-breakpoint
CREATE INDEX `regularisation_share_lease` ON `regularisation_share` (`org_id`,`booking_id`,`id`);--> statement-breakpoint
CREATE INDEX `regularisation_share_unit` ON `regularisation_share` (`org_id`,`unit_id`);--> statement-breakpoint
CREATE INDEX `regularisation_share_invoice` ON `regularisation_share` (`org_id`,`invoice_id`) WHERE invoice_id is not null;--> statement-breakpoint
ALTER TABLE `expense` ADD `regularisation_id` text;--> statement-breakpoint
CREATE INDEX `expense_regularisation` ON `expense` (`org_id`,`regularisation_id`) WHERE regularisation_id is not null;--> statement-breakpoint
CREATE INDEX `expense_to_charge` ON `expense` (`org_id`,`property_id`,`spent_on`) WHERE chargeable = 1 and regularisation_id is null and status = 'RECORDED';