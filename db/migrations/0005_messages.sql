CREATE TABLE `outbound_message` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text,
	`channel` text NOT NULL,
	`purpose` text NOT NULL,
	`vendor` text NOT NULL,
	`vendor_message_id` text,
	`masked_destination` text NOT NULL,
	`challenge_id` text,
	`instead_of` text,
	`status` text NOT NULL,
	`attempts` integer NOT NULL,
	`reason` text,
	`sealed` text,
	`next_at` integer,
	`expires_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`sent_at` integer,
	`updated_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `outbound_message_due` ON `outbound_message` (`next_at`) WHERE next_at is not null;--> statement-breakpoint
CREATE INDEX `outbound_message_vendor` ON `outbound_message` (`vendor_message_id`) WHERE vendor_message_id is not null;--> statement-breakpoint
CREATE INDEX `outbound_message_challenge` ON `outbound_message` (`challenge_id`) WHERE challenge_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `outbound_message_instead` ON `outbound_message` (`instead_of`) WHERE instead_of is not null;--> statement-breakpoint
CREATE INDEX `outbound_message_sealed` ON `outbound_message` (`expires_at`) WHERE sealed is not null;--> statement-breakpoint
CREATE INDEX `outbound_message_created` ON `outbound_message` (`created_at`);--> statement-breakpoint
ALTER TABLE `delivery_report` ADD `early_id` text;--> statement-breakpoint
ALTER TABLE `delivery_report` ADD `early_status` text;--> statement-breakpoint
CREATE INDEX `delivery_report_early` ON `delivery_report` (`early_id`) WHERE early_id is not null;