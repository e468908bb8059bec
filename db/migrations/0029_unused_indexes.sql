DROP INDEX `booking_credited`;--> statement-breakpoint
DROP INDEX `expense_regularisation`;--> statement-breakpoint
DROP INDEX `expense_to_charge`;--> statement-breakpoint
DROP INDEX `repair_open`;