CREATE INDEX `invoice_property_period` ON `invoice` (`org_id`,`property_id`,`period_start`);--> statement-breakpoint
CREATE INDEX `invoice_property_open` ON `invoice` (`org_id`,`property_id`,`due_date`) WHERE status in ('ISSUED','OVERDUE');--> statement-breakpoint
CREATE INDEX `payment_property_paid` ON `payment` (`org_id`,`property_id`,`paid_on`);