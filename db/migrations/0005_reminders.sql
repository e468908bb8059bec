DROP INDEX `verification_document_remind`;--> statement-breakpoint
CREATE INDEX `verification_document_remind` ON `verification_document` (`remind_on`,`org_id`) WHERE remind_on is not null;