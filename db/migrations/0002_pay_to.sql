ALTER TABLE `organization` ADD `pay_to` text;--> statement-breakpoint
ALTER TABLE `property` ADD `pay_to` text;