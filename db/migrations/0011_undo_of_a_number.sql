CREATE TABLE `phone_undo` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`user_id` text NOT NULL,
	`old_number` text NOT NULL,
	`new_number` text NOT NULL,
	`changed_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`used_at` integer
) STRICT;
--> statement-breakpoint
CREATE INDEX `phone_undo_user` ON `phone_undo` (`user_id`,`id`);--> statement-breakpoint
CREATE INDEX `phone_undo_expires` ON `phone_undo` (`expires_at`);--> statement-breakpoint
CREATE INDEX `challenge_user` ON `challenge` (`user_id`) WHERE user_id is not null;--> statement-breakpoint
CREATE INDEX `registration_ticket_phone` ON `registration_ticket` (`phone_number`);