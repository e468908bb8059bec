ALTER TABLE `payment` ADD `counterpart_id` text;--> statement-breakpoint
CREATE INDEX `booking_credited` ON `booking` (`org_id`,`tenant_id`) WHERE credit_amount > 0;