CREATE TABLE `delivery_report` (
	`key` text PRIMARY KEY NOT NULL,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `delivery_report_created` ON `delivery_report` (`created_at`);