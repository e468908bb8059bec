DROP INDEX `tenant_org_phone`;--> statement-breakpoint
DROP INDEX `tenant_org_user`;--> statement-breakpoint
CREATE INDEX `tenant_org_number` ON `tenant` (`org_id`,`phone_number`);--> statement-breakpoint
CREATE INDEX `tenant_org_account` ON `tenant` (`org_id`,`user_id`);--> statement-breakpoint
ALTER TABLE `booking` ADD `vouched` integer DEFAULT false NOT NULL;