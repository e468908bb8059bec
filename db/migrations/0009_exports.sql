CREATE TABLE `export_run` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`created_by` text NOT NULL,
	`status` text NOT NULL,
	`sha256` text,
	`size_bytes` integer,
	`attempts` integer NOT NULL,
	`created_at` text NOT NULL,
	`finished_at` text,
	`purge_at` integer,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`org_id`,`created_by`) REFERENCES `app_user`(`org_id`,`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "export_run_status" CHECK("export_run"."status" in ('QUEUED','RUNNING','SUCCEEDED','FAILED','EXPIRED')),
	CONSTRAINT "export_run_file" CHECK(("export_run"."sha256" is null) = ("export_run"."status" <> 'SUCCEEDED'))
) STRICT;
--> statement-breakpoint
CREATE INDEX `export_run_open` ON `export_run` (`org_id`,`id`) WHERE status in ('QUEUED','RUNNING');--> statement-breakpoint
CREATE INDEX `export_run_waiting` ON `export_run` (`id`) WHERE status in ('QUEUED','RUNNING');--> statement-breakpoint
CREATE INDEX `export_run_purge` ON `export_run` (`purge_at`) WHERE purge_at is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `export_run_org_id` ON `export_run` (`org_id`,`id`);