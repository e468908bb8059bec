CREATE TABLE `deposit_entry` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`booking_id` text NOT NULL,
	`type` text NOT NULL,
	`amount` integer NOT NULL,
	`currency` text NOT NULL,
	`reason` text,
	`paid_on` text NOT NULL,
	`held_amount` integer NOT NULL,
	`recorded_by` text NOT NULL,
	`created_at` text NOT NULL,
	FOREIGN KEY (`org_id`,`booking_id`) REFERENCES `booking`(`org_id`,`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "deposit_entry_type" CHECK("deposit_entry"."type" in ('RECEIVED','DEDUCTED','RETURNED')),
	CONSTRAINT "deposit_entry_amount" CHECK("deposit_entry"."amount" between 1 and 1000000000000),
	CONSTRAINT "deposit_entry_held" CHECK("deposit_entry"."held_amount" >= 0),
	CONSTRAINT "deposit_entry_reason" CHECK("deposit_entry"."type" <> 'DEDUCTED' or "deposit_entry"."reason" is not null)
) STRICT;
--> statement-breakpoint
CREATE INDEX `deposit_entry_org_id_booking_id_id` ON `deposit_entry` (`org_id`,`booking_id`,`id`);--> statement-breakpoint
CREATE INDEX `deposit_entry_org_id_booking_id_created_at_id` ON `deposit_entry` (`org_id`,`booking_id`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `money_message` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`operator` text NOT NULL,
	`transaction_id` text NOT NULL,
	`amount` integer NOT NULL,
	`currency` text NOT NULL,
	`payer_number` text,
	`payer_name` text,
	`paid_on` text NOT NULL,
	`time` text,
	`status` text NOT NULL,
	`payment_id` text,
	`recorded_by` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`org_id`,`payment_id`) REFERENCES `payment`(`org_id`,`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "money_message_status" CHECK("money_message"."status" in ('UNMATCHED','MATCHED','DISMISSED')),
	CONSTRAINT "money_message_payment" CHECK(("money_message"."payment_id" is null) = ("money_message"."status" <> 'MATCHED')),
	CONSTRAINT "money_message_amount" CHECK("money_message"."amount" between 1 and 1000000000000)
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `money_message_once` ON `money_message` (`org_id`,`operator`,`transaction_id`);--> statement-breakpoint
CREATE INDEX `money_message_twin` ON `money_message` (`org_id`,`payer_number`,`paid_on`);--> statement-breakpoint
CREATE INDEX `money_message_payment` ON `money_message` (`org_id`,`payment_id`);--> statement-breakpoint
CREATE INDEX `money_message_status` ON `money_message` (`org_id`,`status`,`id`);--> statement-breakpoint
CREATE INDEX `money_message_org_id_recorded_by_status_id` ON `money_message` (`org_id`,`recorded_by`,`status`,`id`);--> statement-breakpoint
CREATE INDEX `money_message_org_id_status_updated_at_id` ON `money_message` (`org_id`,`status`,`updated_at`,`id`);--> statement-breakpoint
CREATE INDEX `money_message_org_id_recorded_by_status_updated_at_id` ON `money_message` (`org_id`,`recorded_by`,`status`,`updated_at`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `money_message_org_id` ON `money_message` (`org_id`,`id`);