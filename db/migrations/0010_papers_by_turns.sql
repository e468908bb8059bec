DROP INDEX `document_render`;--> statement-breakpoint
CREATE INDEX `document_turn` ON `document` (`render_at`,`org_id`,`id`) WHERE render_at is not null;