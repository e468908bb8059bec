DROP INDEX `credit_note_once`;--> statement-breakpoint
CREATE UNIQUE INDEX `credit_note_each` ON `credit_note` (`invoice_id`,`reason`) WHERE withdrawn_on is null;