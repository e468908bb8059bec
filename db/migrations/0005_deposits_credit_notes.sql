CREATE TABLE `credit_note` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`invoice_id` text NOT NULL,
	`booking_id` text NOT NULL,
	`number` text NOT NULL,
	`issued_on` text NOT NULL,
	`reason` text NOT NULL,
	`net_amount` integer NOT NULL,
	`tva_amount` integer NOT NULL,
	`tva_basis_points` integer NOT NULL,
	`gross_amount` integer NOT NULL,
	`withdrawn_on` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`org_id`,`invoice_id`) REFERENCES `invoice`(`org_id`,`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "credit_note_sum" CHECK("credit_note"."gross_amount" = "credit_note"."net_amount" + "credit_note"."tva_amount")
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `credit_note_number` ON `credit_note` (`org_id`,`number`);--> statement-breakpoint
CREATE INDEX `credit_note_invoice` ON `credit_note` (`org_id`,`invoice_id`,`id`);--> statement-breakpoint
CREATE INDEX `credit_note_issued` ON `credit_note` (`org_id`,`issued_on`,`id`);--> statement-breakpoint
CREATE INDEX `credit_note_withdrawn` ON `credit_note` (`org_id`,`withdrawn_on`,`id`) WHERE withdrawn_on is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `credit_note_once` ON `credit_note` (`invoice_id`) WHERE withdrawn_on is null;--> statement-breakpoint
DROP INDEX `invoice_once`;--> statement-breakpoint
ALTER TABLE `invoice` ADD `kind` text DEFAULT 'PERIOD' NOT NULL;--> statement-breakpoint
ALTER TABLE `invoice` ADD `noted_amount` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `invoice_once` ON `invoice` (`booking_id`,`period_start`,case when replaced_by_id is null and kind = 'PERIOD' then '' else id end);--> statement-breakpoint
DROP INDEX `payment_credit`;--> statement-breakpoint
ALTER TABLE `payment` ADD `credit_booking_id` text;--> statement-breakpoint
CREATE INDEX `payment_credit` ON `payment` (`org_id`,case when credit_booking_id is null then booking_id else credit_booking_id end,`id`) WHERE unallocated_amount > 0;--> statement-breakpoint
ALTER TABLE `booking` ADD `tva_followed` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `deposit_entry` ADD `payment_id` text;--> statement-breakpoint
ALTER TABLE `deposit_entry` ADD `moved_booking_id` text;--> statement-breakpoint
CREATE INDEX `deposit_entry_payment` ON `deposit_entry` (`org_id`,`payment_id`) WHERE payment_id is not null;--> statement-breakpoint
ALTER TABLE `organization` ADD `tva_changes` text;