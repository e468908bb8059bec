-- Messages about rent and the letters of formal notices, which were notices before.
-- changes: notice
-- changes: notice_letter
CREATE TABLE `rent_message` (
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
	CONSTRAINT "rent_message_step" CHECK("rent_message"."step" in ('RENT_CALL','UPCOMING','DUE','REMINDER','FINAL','FORMAL_NOTICE'))
) STRICT;
--> statement-breakpoint
INSERT INTO `rent_message` (`id`, `org_id`, `booking_id`, `invoice_id`, `step`, `amount`, `currency`, `locale`, `masked_destination`, `once`, `sent_by`, `sent_on`, `link_expires_at`, `link_revoked_at`, `created_at`, `updated_at`, `version`, `withheld`, `send_after`) SELECT `id`, `org_id`, `booking_id`, `invoice_id`, `step`, `amount`, `currency`, `locale`, `masked_destination`, `once`, `sent_by`, `sent_on`, `link_expires_at`, `link_revoked_at`, `created_at`, `updated_at`, `version`, `withheld`, `send_after` FROM `notice`;
--> statement-breakpoint
CREATE TABLE `letter` (
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
	FOREIGN KEY (`org_id`,`id`) REFERENCES `rent_message`(`org_id`,`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "letter_file" CHECK(("letter"."sha256" is null) = ("letter"."render_at" is not null))
) STRICT;
--> statement-breakpoint
INSERT INTO `letter` (`id`, `org_id`, `booking_id`, `number`, `locale`, `data`, `attempts`, `render_at`, `template_version`, `sha256`, `size_bytes`, `created_at`, `rendered_at`, `updated_at`, `version`) SELECT `id`, `org_id`, `booking_id`, `number`, `locale`, `data`, `attempts`, `render_at`, `template_version`, `sha256`, `size_bytes`, `created_at`, `rendered_at`, `updated_at`, `version` FROM `notice_letter`;
--> statement-breakpoint
DROP TABLE `notice_letter`;
--> statement-breakpoint
DROP TABLE `notice`;
--> statement-breakpoint
CREATE UNIQUE INDEX `rent_message_once` ON `rent_message` (`org_id`,`invoice_id`,`once`) WHERE once is not null;
--> statement-breakpoint
CREATE INDEX `rent_message_org_id_invoice_id_id` ON `rent_message` (`org_id`,`invoice_id`,`id`);
--> statement-breakpoint
CREATE INDEX `rent_message_org_id_booking_id_id` ON `rent_message` (`org_id`,`booking_id`,`id`);
--> statement-breakpoint
CREATE INDEX `rent_message_org_id_booking_id_updated_at_id` ON `rent_message` (`org_id`,`booking_id`,`updated_at`,`id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `rent_message_org_id` ON `rent_message` (`org_id`,`id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `letter_org_id` ON `letter` (`org_id`,`id`);
--> statement-breakpoint
CREATE INDEX `letter_org_id_booking_id_id` ON `letter` (`org_id`,`booking_id`,`id`);
--> statement-breakpoint
CREATE INDEX `letter_render` ON `letter` (`render_at`,`id`) WHERE render_at is not null;
--> statement-breakpoint
UPDATE `audit_entry` SET `action` = 'rent_message.' || substr(`action`, 8), `subject_type` = 'rent_message' WHERE `subject_type` = 'notice';
