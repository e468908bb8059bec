DROP INDEX `invoice_booking_id`;--> statement-breakpoint
DROP INDEX `invoice_tenant_user_id_due_date`;--> statement-breakpoint
DROP INDEX `invoice_tenant_user_id_updated_at`;--> statement-breakpoint
DROP INDEX `invoice_property_period`;--> statement-breakpoint
DROP INDEX `invoice_once`;--> statement-breakpoint
DROP INDEX `invoice_status`;--> statement-breakpoint
DROP INDEX `invoice_property_id`;--> statement-breakpoint
DROP INDEX `invoice_owner_user_id`;--> statement-breakpoint
DROP INDEX `invoice_tenant_user_id`;--> statement-breakpoint
DROP INDEX `invoice_due_date`;--> statement-breakpoint
DROP INDEX `invoice_updated_at`;--> statement-breakpoint
DROP INDEX `invoice_owner_user_id_due_date`;--> statement-breakpoint
DROP INDEX `invoice_owner_user_id_updated_at`;--> statement-breakpoint
DROP INDEX `invoice_property_id_due_date`;--> statement-breakpoint
DROP INDEX `invoice_property_id_status`;--> statement-breakpoint
DROP INDEX `invoice_status_due_date`;--> statement-breakpoint
DROP INDEX `invoice_status_updated_at`;--> statement-breakpoint
DROP INDEX `invoice_owner_user_id_status`;--> statement-breakpoint
DROP INDEX `invoice_property_open`;--> statement-breakpoint
CREATE UNIQUE INDEX `invoice_once` ON `invoice` (`booking_id`,`period_start`,case when replaced_by_id is null then '' else id end);--> statement-breakpoint
CREATE INDEX `invoice_status` ON `invoice` (`org_id`,`status`);--> statement-breakpoint
CREATE INDEX `invoice_property_id` ON `invoice` (`property_id`);--> statement-breakpoint
CREATE INDEX `invoice_owner_user_id` ON `invoice` (`owner_user_id`);--> statement-breakpoint
CREATE INDEX `invoice_tenant_user_id` ON `invoice` (`tenant_user_id`) WHERE tenant_user_id is not null;--> statement-breakpoint
CREATE INDEX `invoice_due_date` ON `invoice` (`org_id`,`due_date`);--> statement-breakpoint
CREATE INDEX `invoice_updated_at` ON `invoice` (`org_id`,`updated_at`);--> statement-breakpoint
CREATE INDEX `invoice_owner_user_id_due_date` ON `invoice` (`owner_user_id`,`due_date`);--> statement-breakpoint
CREATE INDEX `invoice_owner_user_id_updated_at` ON `invoice` (`owner_user_id`,`updated_at`);--> statement-breakpoint
CREATE INDEX `invoice_property_id_due_date` ON `invoice` (`property_id`,`due_date`);--> statement-breakpoint
CREATE INDEX `invoice_property_id_status` ON `invoice` (`property_id`,`status`) WHERE status <> 'PAID';--> statement-breakpoint
CREATE INDEX `invoice_status_due_date` ON `invoice` (`org_id`,`status`,`due_date`) WHERE status <> 'PAID';--> statement-breakpoint
CREATE INDEX `invoice_status_updated_at` ON `invoice` (`org_id`,`status`,`updated_at`) WHERE status <> 'PAID';--> statement-breakpoint
CREATE INDEX `invoice_owner_user_id_status` ON `invoice` (`owner_user_id`,`status`) WHERE status <> 'PAID';--> statement-breakpoint
CREATE INDEX `invoice_property_open` ON `invoice` (`property_id`,`due_date`) WHERE status in ('ISSUED','OVERDUE');--> statement-breakpoint
DROP INDEX `unit_property_status`;--> statement-breakpoint
DROP INDEX `unit_property_updated`;