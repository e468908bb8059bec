CREATE TABLE `import_run` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`created_by` text NOT NULL,
	`kind` text NOT NULL,
	`dry_run` integer NOT NULL,
	`status` text NOT NULL,
	`media_object_id` text,
	`csv` text,
	`rows` integer NOT NULL,
	`rows_done` integer NOT NULL,
	`problem_count` integer NOT NULL,
	`problems` text NOT NULL,
	`created` text NOT NULL,
	`attempts` integer NOT NULL,
	`created_at` text NOT NULL,
	`finished_at` text,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`org_id`,`created_by`) REFERENCES `app_user`(`org_id`,`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "import_run_status" CHECK("import_run"."status" in ('QUEUED','RUNNING','SUCCEEDED','FAILED'))
) STRICT;
--> statement-breakpoint
CREATE INDEX `import_run_open` ON `import_run` (`org_id`,`id`) WHERE status in ('QUEUED','RUNNING');--> statement-breakpoint
CREATE INDEX `import_run_waiting` ON `import_run` (`id`) WHERE status in ('QUEUED','RUNNING');--> statement-breakpoint
CREATE UNIQUE INDEX `import_run_org_id` ON `import_run` (`org_id`,`id`);