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
CREATE INDEX `notice_letter_render` ON `notice_letter` (`render_at`,`id`) WHERE render_at is not null;