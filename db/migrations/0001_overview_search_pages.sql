ALTER TABLE `media_object` ADD `position` integer;--> statement-breakpoint
ALTER TABLE `organization` ADD `pay_to` text;--> statement-breakpoint
ALTER TABLE `property` ADD `pay_to` text;--> statement-breakpoint
CREATE INDEX `booking_end_date` ON `booking` (`org_id`,`end_date`,`id`);--> statement-breakpoint
CREATE INDEX `booking_owner_user_id_end_date` ON `booking` (`org_id`,`owner_user_id`,`end_date`,`id`);--> statement-breakpoint
CREATE INDEX `booking_tenant_user_id_end_date` ON `booking` (`org_id`,`tenant_user_id`,`end_date`,`id`);--> statement-breakpoint
CREATE INDEX `booking_running` ON `booking` (`org_id`,`property_id`,`rent_amount`) WHERE status = 'ACTIVE';--> statement-breakpoint
CREATE INDEX `document_property_id` ON `document` (`org_id`,`property_id`,`id`);--> statement-breakpoint
CREATE INDEX `document_status` ON `document` (`org_id`,`status`,`id`);--> statement-breakpoint
CREATE INDEX `document_owner_user_id_kind` ON `document` (`org_id`,`owner_user_id`,`kind`,`id`);--> statement-breakpoint
CREATE INDEX `document_number` ON `document` (`org_id`,`number`);--> statement-breakpoint
CREATE INDEX `invoice_month` ON `invoice` (`org_id`,`period_start`,`owner_user_id`,`gross_amount`,`credited_amount`,`amount_paid`) WHERE status <> 'CANCELLED';--> statement-breakpoint
CREATE INDEX `invoice_open` ON `invoice` (`org_id`,`due_date`,`owner_user_id`,`booking_id`,`gross_amount`,`amount_paid`) WHERE status in ('ISSUED','OVERDUE');--> statement-breakpoint
CREATE INDEX `invoice_booking_open` ON `invoice` (`booking_id`,`period_start`,`gross_amount`,`amount_paid`) WHERE status in ('ISSUED','OVERDUE');--> statement-breakpoint
CREATE INDEX `outbound_message_failed` ON `outbound_message` (`org_id`,`id`) WHERE status in ('FAILED','EXPIRED');--> statement-breakpoint
CREATE INDEX `audit_entry_subject_type` ON `audit_entry` (`org_id`,`subject_type`,`id`);--> statement-breakpoint
CREATE INDEX `payment_method` ON `payment` (`org_id`,`method`,`id`);--> statement-breakpoint
CREATE INDEX `payment_org_id_reference` ON `payment` (`org_id`,`reference`) WHERE reference is not null;--> statement-breakpoint
CREATE INDEX `unit_property_status` ON `unit` (`org_id`,`property_id`,`status`);--> statement-breakpoint
CREATE INDEX `unit_status` ON `unit` (`org_id`,`status`,`id`);--> statement-breakpoint
CREATE INDEX `unit_updated_at` ON `unit` (`org_id`,`updated_at`,`id`);