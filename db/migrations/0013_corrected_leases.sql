ALTER TABLE `expense` ADD `repair_id` text;--> statement-breakpoint
CREATE UNIQUE INDEX `expense_repair` ON `expense` (`org_id`,`repair_id`) WHERE repair_id is not null and status = 'RECORDED';--> statement-breakpoint
ALTER TABLE `rent_change` ADD `declined_at` text;--> statement-breakpoint
ALTER TABLE `rent_change` ADD `declined_reason` text;--> statement-breakpoint
CREATE INDEX `rent_change_proposed` ON `rent_change` (`org_id`,`booking_id`) WHERE status = 'PROPOSED';--> statement-breakpoint
CREATE INDEX `booking_noticed` ON `booking` (`org_id`,`end_date`) WHERE notice is not null;