CREATE TABLE `second_factor` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`kind` text NOT NULL,
	`sealed` text,
	`credential_id` text,
	`public_key` text,
	`counter` integer NOT NULL,
	`created_at` text NOT NULL,
	`used_at` text,
	FOREIGN KEY (`user_id`) REFERENCES `app_user`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `second_factor_user` ON `second_factor` (`user_id`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `second_factor_credential` ON `second_factor` (`credential_id`);--> statement-breakpoint
CREATE TABLE `second_factor_code` (
	`user_id` text NOT NULL,
	`digest` text NOT NULL,
	PRIMARY KEY(`user_id`, `digest`),
	FOREIGN KEY (`user_id`) REFERENCES `app_user`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE TABLE `second_factor_try` (
	`user_id` text PRIMARY KEY NOT NULL,
	`failures` integer NOT NULL,
	`locked_until` integer,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `app_user`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
ALTER TABLE `organization` ADD `second_factor` text DEFAULT 'OFF' NOT NULL;