ALTER TABLE `booking` ADD `settlement` text;--> statement-breakpoint
ALTER TABLE `invoice` ADD `issued_on` text DEFAULT '' NOT NULL;--> statement-breakpoint
UPDATE `invoice` SET `issued_on` = coalesce((SELECT d.`issued_on` FROM `document` d WHERE d.`org_id` = `invoice`.`org_id` AND d.`source` = 'invoice:' || `invoice`.`id` || ':1'), date(`created_at`, '+1 hour'));