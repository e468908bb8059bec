ALTER TABLE `booking` ADD `trade` text;--> statement-breakpoint
ALTER TABLE `booking` ADD `review_clause` text;