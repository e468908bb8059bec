ALTER TABLE `import_run` ADD `asked` text;--> statement-breakpoint
ALTER TABLE `import_run` ADD `reading` text;--> statement-breakpoint
ALTER TABLE `import_run` ADD `preview` text;