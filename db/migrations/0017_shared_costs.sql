ALTER TABLE `deposit_entry` ADD `inspected_items` text;--> statement-breakpoint
ALTER TABLE `regularisation` ADD `deducted_amount` integer DEFAULT 0 NOT NULL;