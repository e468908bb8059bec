CREATE TABLE `recovery` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`user_id` text NOT NULL,
	`asked_by` text NOT NULL,
	`kind` text NOT NULL,
	`status` text NOT NULL,
	`asked_at` integer NOT NULL,
	`effective_at` integer NOT NULL,
	`expires_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `recovery_org` ON `recovery` (`org_id`,`status`,`id`);--> statement-breakpoint
CREATE INDEX `recovery_user` ON `recovery` (`user_id`,`asked_at`);--> statement-breakpoint
CREATE INDEX `recovery_expires` ON `recovery` (`expires_at`);--> statement-breakpoint
ALTER TABLE `challenge` ADD `valid_from` integer;--> statement-breakpoint
ALTER TABLE `app_user` ADD `admin_until` integer;