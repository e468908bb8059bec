ALTER TABLE `rent_message` ADD `handling` text;--> statement-breakpoint
ALTER TABLE `rent_message` ADD `handled_at` text;--> statement-breakpoint
ALTER TABLE `rent_message` ADD `handled_by` text;--> statement-breakpoint
CREATE INDEX `rent_message_withheld` ON `rent_message` (`org_id`,`id`) WHERE withheld is not null;