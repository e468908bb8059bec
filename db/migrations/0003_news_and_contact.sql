CREATE TABLE `news_item` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`user_id` text NOT NULL,
	`kind` text NOT NULL,
	`amount` integer,
	`created_at` text NOT NULL,
	FOREIGN KEY (`org_id`,`user_id`) REFERENCES `app_user`(`org_id`,`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `news_item_user` ON `news_item` (`org_id`,`user_id`,`id`);--> statement-breakpoint
ALTER TABLE `organization` ADD `phone_number` text;--> statement-breakpoint
ALTER TABLE `app_user` ADD `notifications` text;