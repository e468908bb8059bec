CREATE TABLE `audit_archive` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`before_day` text NOT NULL,
	`entries` integer NOT NULL,
	`last_row` integer NOT NULL,
	`size_bytes` integer NOT NULL,
	`sha256` text NOT NULL,
	`previous_sha256` text,
	`signature` text NOT NULL,
	`created_by` text NOT NULL,
	`created_at` text NOT NULL,
	`pruned_at` text
) STRICT;
--> statement-breakpoint
CREATE INDEX `audit_archive_org` ON `audit_archive` (`org_id`,`id`);--> statement-breakpoint
CREATE INDEX `audit_archive_created_at` ON `audit_archive` (`org_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `audit_archive_open` ON `audit_archive` (`id`) WHERE pruned_at is null;--> statement-breakpoint
CREATE TABLE `row_count` (
	`org_id` text NOT NULL,
	`kind` text NOT NULL,
	`n` integer NOT NULL,
	PRIMARY KEY(`org_id`, `kind`)
) STRICT;

--> statement-breakpoint
INSERT INTO `row_count` (`org_id`, `kind`, `n`)
SELECT org_id, 'property', count(*) FROM property GROUP BY org_id
UNION ALL SELECT org_id, 'unit', count(*) FROM unit GROUP BY org_id
UNION ALL SELECT org_id, 'tenant', count(*) FROM tenant GROUP BY org_id
UNION ALL SELECT org_id, 'booking', count(*) FROM booking GROUP BY org_id
UNION ALL SELECT org_id, 'money_message', count(*) FROM money_message GROUP BY org_id;
