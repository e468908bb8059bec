CREATE TABLE `transfer` (
	`row` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`org_id` text NOT NULL,
	`direction` integer NOT NULL,
	`amount` integer NOT NULL,
	`method` text NOT NULL,
	`operator` text,
	`trace` text,
	`reference` text,
	`paid_on` text NOT NULL,
	`payer_name` text,
	`payer_number` text,
	`proof_media_id` text,
	`note` text,
	`told` text NOT NULL,
	`state` text NOT NULL,
	`recorded_by` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	CONSTRAINT "transfer_direction" CHECK("transfer"."direction" in (1, -1)),
	CONSTRAINT "transfer_amount" CHECK("transfer"."amount" between 1 and 1000000000000),
	CONSTRAINT "transfer_state" CHECK("transfer"."state" in ('PENDING','POSTED','VOID','REVERSED')),
	CONSTRAINT "transfer_trace" CHECK(("transfer"."trace" is null) = ("transfer"."operator" is null))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `transfer_id` ON `transfer` (`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `transfer_once` ON `transfer` (`org_id`,`direction`,`operator`,`trace`) WHERE trace is not null and state in ('PENDING','POSTED');--> statement-breakpoint
CREATE INDEX `transfer_org_id` ON `transfer` (`org_id`,`id`);--> statement-breakpoint
CREATE INDEX `transfer_updated_at` ON `transfer` (`org_id`,`updated_at`,`id`);--> statement-breakpoint
DROP INDEX `payment_reference`;--> statement-breakpoint
ALTER TABLE `payment` ADD `transfer` integer;--> statement-breakpoint
-- Each payment of money becomes the share of a transfer of its own, whose id has the time of the payment's. Where two that
-- count have one reference in other spellings, the later keeps no trace, so that neither is refused.
INSERT INTO `transfer` (`row`, `id`, `org_id`, `direction`, `amount`, `method`, `operator`, `trace`, `reference`, `paid_on`,
  `proof_media_id`, `note`, `told`, `state`, `recorded_by`, `created_at`, `updated_at`)
WITH plain AS (
  SELECT p.rowid AS n, p.*, CASE
    WHEN r GLOB 'REF[.:# ]*' THEN substr(r, 4) WHEN r GLOB 'ID[.:# ]*' THEN substr(r, 3)
    WHEN r GLOB 'NO[.:# ]*' THEN substr(r, 3) WHEN r GLOB 'N°*' THEN substr(r, 3) ELSE r END AS said
  FROM (SELECT *, rowid, upper(trim(`reference`)) AS r FROM `payment`) p WHERE `method` NOT IN ('DEPOSIT', 'SET_OFF')
), bare AS (
  SELECT *, nullif(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(
    said, ' ', ''), char(160), ''), char(8239), ''), '.', ''), '-', ''), '/', ''), ':', ''), '#', ''), '°', ''), '_', ''), ',', ''), '') AS signs
  FROM plain
), traced AS (
  SELECT *, CASE WHEN signs IS NULL THEN NULL
    WHEN `method` IN ('MTN_MOMO', 'ORANGE_MONEY') AND length(signs) BETWEEN 6 AND 20 AND signs NOT GLOB '*[^0-9]*' THEN 'MOMO'
    WHEN `method` IN ('CASH', 'OTHER') AND length(signs) BETWEEN 9 AND 12 AND signs NOT GLOB '*[^0-9]*' THEN 'MOMO'
    WHEN `method` IN ('MTN_MOMO', 'ORANGE_MONEY', 'CASH', 'OTHER') AND length(signs) BETWEEN 16 AND 21
      AND signs GLOB '[A-Z][A-Z][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9A-Z]*' AND substr(signs, 14) NOT GLOB '*[^0-9]*' THEN 'MOMO'
    ELSE `method` END AS given, iif(`type` = 'REFUND', -1, 1) AS way, `status` IN ('PENDING', 'CONFIRMED') AS counts
  FROM bare
), ranked AS (
  SELECT *, row_number() OVER (PARTITION BY `org_id`, way, given, signs, counts ORDER BY `id`) = 1 OR NOT counts AS own FROM traced
)
SELECT n, substr(`id`, 1, 14) || '7' || substr(lower(hex(randomblob(2))), 2) || '-8' || substr(lower(hex(randomblob(2))), 2) || '-' || lower(hex(randomblob(6))),
  `org_id`, way, `amount`, `method`, iif(own, given, NULL), iif(own, signs, NULL), `reference`, `paid_on`, `proof_media_id`,
  `note`, json_array(json_array(CASE
    WHEN EXISTS (SELECT 1 FROM `money_message` m WHERE m.`org_id` = r.`org_id` AND m.`payment_id` = r.`id`) THEN 'MESSAGE'
    WHEN `recorded_by` IS `tenant_user_id` THEN 'DECLARED' ELSE 'RECORDED' END, substr(`created_at`, 1, 10), `recorded_by`)),
  CASE `status` WHEN 'PENDING' THEN 'PENDING' WHEN 'CONFIRMED' THEN 'POSTED' WHEN 'REJECTED' THEN 'VOID' ELSE 'REVERSED' END,
  `recorded_by`, `created_at`, `updated_at`
FROM ranked r ORDER BY n;
--> statement-breakpoint
UPDATE `payment` SET `transfer` = rowid WHERE `method` NOT IN ('DEPOSIT', 'SET_OFF');
--> statement-breakpoint
CREATE INDEX `payment_transfer` ON `payment` (`transfer`);--> statement-breakpoint
ALTER TABLE `deposit_entry` ADD `transfer` integer;--> statement-breakpoint
CREATE INDEX `deposit_entry_transfer` ON `deposit_entry` (`transfer`) WHERE transfer is not null;