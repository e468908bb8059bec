CREATE TABLE `budget_day` (
	`budget` text NOT NULL,
	`key` text NOT NULL,
	`day` integer NOT NULL,
	`spent` integer NOT NULL,
	PRIMARY KEY(`budget`, `key`, `day`)
) STRICT;
--> statement-breakpoint
CREATE INDEX `budget_day_day` ON `budget_day` (`day`);--> statement-breakpoint
CREATE TABLE `known_place` (
	`user_id` text NOT NULL,
	`place` text NOT NULL,
	`failures` integer DEFAULT 0 NOT NULL,
	`wait_until` integer,
	`last_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `place`)
) STRICT;
--> statement-breakpoint
CREATE INDEX `known_place_last` ON `known_place` (`last_at`);--> statement-breakpoint
ALTER TABLE `challenge` ADD `asker` text;--> statement-breakpoint
ALTER TABLE `challenge` ADD `joins` text;--> statement-breakpoint
ALTER TABLE `challenge` ADD `kind` text DEFAULT 'OWN' NOT NULL;--> statement-breakpoint
ALTER TABLE `code_send` ADD `challenge_id` text;--> statement-breakpoint
ALTER TABLE `code_send` ADD `site` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `code_send` ADD `kind` text DEFAULT 'STRANGER' NOT NULL;--> statement-breakpoint
ALTER TABLE `code_send` ADD `status` text DEFAULT 'SENT' NOT NULL;--> statement-breakpoint
ALTER TABLE `code_send` ADD `subject` text;--> statement-breakpoint
CREATE INDEX `code_send_site` ON `code_send` (`site`,`sent_at`);--> statement-breakpoint
CREATE INDEX `code_send_spent` ON `code_send` (`sent_at`,`kind`) WHERE status = 'SENT';--> statement-breakpoint
CREATE INDEX `code_send_challenge` ON `code_send` (`challenge_id`);--> statement-breakpoint
ALTER TABLE `notice` ADD `withheld` text;--> statement-breakpoint
ALTER TABLE `notice` ADD `send_after` text;