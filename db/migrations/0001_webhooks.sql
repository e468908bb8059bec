CREATE TABLE `webhook_delivery` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`endpoint_id` text NOT NULL,
	`event_id` text NOT NULL,
	`type` text NOT NULL,
	`payload` text NOT NULL,
	`status` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`response_status` integer,
	`failure` text,
	`next_attempt_at` text,
	`delivered_at` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`org_id`,`endpoint_id`) REFERENCES `webhook_endpoint`(`org_id`,`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "webhook_delivery_status" CHECK("webhook_delivery"."status" in ('PENDING','DELIVERED','FAILED')),
	CONSTRAINT "webhook_delivery_waiting" CHECK(("webhook_delivery"."next_attempt_at" is null) = ("webhook_delivery"."status" <> 'PENDING'))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `webhook_delivery_once` ON `webhook_delivery` (`org_id`,`endpoint_id`,`event_id`);--> statement-breakpoint
CREATE INDEX `webhook_delivery_org_id_endpoint_id_id` ON `webhook_delivery` (`org_id`,`endpoint_id`,`id`);--> statement-breakpoint
CREATE INDEX `webhook_delivery_org_id_endpoint_id_status_id` ON `webhook_delivery` (`org_id`,`endpoint_id`,`status`,`id`);--> statement-breakpoint
CREATE INDEX `webhook_delivery_org_id_endpoint_id_updated_at_id` ON `webhook_delivery` (`org_id`,`endpoint_id`,`updated_at`,`id`);--> statement-breakpoint
CREATE INDEX `webhook_delivery_due` ON `webhook_delivery` (`org_id`,`endpoint_id`,`next_attempt_at`,`id`) WHERE status = 'PENDING';--> statement-breakpoint
CREATE INDEX `webhook_delivery_created` ON `webhook_delivery` (`created_at`);--> statement-breakpoint
CREATE TABLE `webhook_endpoint` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`url` text NOT NULL,
	`description` text,
	`events` text NOT NULL,
	`status` text NOT NULL,
	`secret_version` integer NOT NULL,
	`rotated_at` text,
	`failures` integer DEFAULT 0 NOT NULL,
	`paused_until` text NOT NULL,
	`created_by` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	CONSTRAINT "webhook_endpoint_status" CHECK("webhook_endpoint"."status" in ('ENABLED','DISABLED'))
) STRICT;
--> statement-breakpoint
CREATE INDEX `webhook_endpoint_updated_at` ON `webhook_endpoint` (`org_id`,`updated_at`,`id`);--> statement-breakpoint
CREATE INDEX `webhook_endpoint_open` ON `webhook_endpoint` (`paused_until`) WHERE status = 'ENABLED';--> statement-breakpoint
CREATE UNIQUE INDEX `webhook_endpoint_org_id` ON `webhook_endpoint` (`org_id`,`id`);