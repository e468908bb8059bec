ALTER TABLE `audit_entry` ADD `changes` text;--> statement-breakpoint
ALTER TABLE `organization` ADD `pay_to_changed_at` text;--> statement-breakpoint
ALTER TABLE `property` ADD `pay_to_changed_at` text;