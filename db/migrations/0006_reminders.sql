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
DROP INDEX `organization_time_zone`;--> statement-breakpoint
ALTER TABLE `organization` ADD `reminded_on` text;--> statement-breakpoint
CREATE INDEX `organization_time_zone` ON `organization` (`time_zone`,`id`);--> statement-breakpoint
ALTER TABLE `tenant` ADD `channel` text;