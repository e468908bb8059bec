ALTER TABLE `organization` ADD `country` text DEFAULT 'CM' NOT NULL;--> statement-breakpoint
ALTER TABLE `organization` ADD `formal_notice_days` integer;