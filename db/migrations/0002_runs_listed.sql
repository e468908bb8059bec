CREATE INDEX `export_run_created_by` ON `export_run` (`org_id`,`created_by`,`id`);--> statement-breakpoint
CREATE INDEX `export_run_updated_at` ON `export_run` (`org_id`,`updated_at`,`id`);--> statement-breakpoint
CREATE INDEX `export_run_created_by_updated_at` ON `export_run` (`org_id`,`created_by`,`updated_at`,`id`);--> statement-breakpoint
CREATE INDEX `import_run_created_by` ON `import_run` (`org_id`,`created_by`,`id`);--> statement-breakpoint
CREATE INDEX `import_run_updated_at` ON `import_run` (`org_id`,`updated_at`,`id`);--> statement-breakpoint
CREATE INDEX `import_run_created_by_updated_at` ON `import_run` (`org_id`,`created_by`,`updated_at`,`id`);