DROP INDEX `job_status`;--> statement-breakpoint
CREATE INDEX `job_failed` ON `job` (`run_at`) WHERE status = 'FAILED';--> statement-breakpoint
CREATE INDEX `audit_entry_org` ON `audit_entry` (`org_id`,`id`);