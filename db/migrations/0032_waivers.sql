DROP INDEX `credit_note_each`;--> statement-breakpoint
CREATE UNIQUE INDEX `credit_note_each` ON `credit_note` (`invoice_id`,`reason`) WHERE withdrawn_on is null and reason <> 'WAIVED';