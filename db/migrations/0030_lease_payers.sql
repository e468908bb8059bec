CREATE TABLE `lease_payer` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`booking_id` text NOT NULL,
	`full_name` text,
	`phone_number` text,
	`source` text NOT NULL,
	`kiosk` integer NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`org_id`,`booking_id`) REFERENCES `booking`(`org_id`,`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "lease_payer_source" CHECK("lease_payer"."source" in ('MESSAGE','PAYMENT','ENTERED')),
	CONSTRAINT "lease_payer_known" CHECK("lease_payer"."full_name" is not null or "lease_payer"."phone_number" is not null)
) STRICT;
--> statement-breakpoint
CREATE INDEX `lease_payer_org_id_booking_id_id` ON `lease_payer` (`org_id`,`booking_id`,`id`);--> statement-breakpoint
CREATE INDEX `lease_payer_phone` ON `lease_payer` (`org_id`,`phone_number`) WHERE phone_number is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `lease_payer_org_id` ON `lease_payer` (`org_id`,`id`);