PRAGMA foreign_keys=OFF;--> statement-breakpoint
CREATE TABLE `__new_app_user` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`subject` text NOT NULL,
	`username` text,
	`email` text,
	`first_name` text,
	`last_name` text,
	`phone_number` text,
	`phone_verified` integer NOT NULL,
	`roles` text NOT NULL,
	`locale` text,
	`status` text NOT NULL,
	`not_before` integer,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`org_id`) REFERENCES `organization`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "app_user_status" CHECK("__new_app_user"."status" in ('INVITED','ACTIVE','DISABLED','ERASED'))
) STRICT;
--> statement-breakpoint
INSERT INTO `__new_app_user`("id", "org_id", "subject", "username", "email", "first_name", "last_name", "phone_number", "phone_verified", "roles", "locale", "status", "not_before", "created_at", "updated_at", "version") SELECT "id", "org_id", "subject", "username", "email", "first_name", "last_name", "phone_number", "phone_verified", "roles", "locale", "status", "not_before", "created_at", "updated_at", "version" FROM `app_user`;--> statement-breakpoint
DROP TABLE `app_user`;--> statement-breakpoint
ALTER TABLE `__new_app_user` RENAME TO `app_user`;--> statement-breakpoint
PRAGMA foreign_keys=ON;--> statement-breakpoint
CREATE UNIQUE INDEX `app_user_org_subject` ON `app_user` (`org_id`,`subject`);--> statement-breakpoint
CREATE INDEX `app_user_username` ON `app_user` (`username`);--> statement-breakpoint
CREATE INDEX `app_user_phone` ON `app_user` (`phone_number`,`id`);--> statement-breakpoint
CREATE INDEX `app_user_status` ON `app_user` (`org_id`,`status`,`id`);--> statement-breakpoint
CREATE INDEX `app_user_updated_at` ON `app_user` (`org_id`,`updated_at`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `app_user_org_id` ON `app_user` (`org_id`,`id`);--> statement-breakpoint
ALTER TABLE `organization` ADD `quiet_from` text;--> statement-breakpoint
ALTER TABLE `organization` ADD `quiet_to` text;