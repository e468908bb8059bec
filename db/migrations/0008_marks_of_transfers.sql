ALTER TABLE `audit_entry` ADD `imported_at` text;--> statement-breakpoint
ALTER TABLE `export_run` ADD `made_as` text;