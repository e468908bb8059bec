ALTER TABLE `webhook_endpoint` ADD `former_secrets` text;
--> statement-breakpoint
-- The secret before the last change still signs for its day.
UPDATE `webhook_endpoint` SET `former_secrets` = json_array(json_object(
  'version', `secret_version` - 1,
  'until', strftime('%Y-%m-%dT%H:%M:%fZ', `rotated_at`, '+1 day')
)) WHERE `rotated_at` IS NOT NULL;
