ALTER TABLE "linehaul"."alert_known_cases" ADD COLUMN "is_by_hand" boolean DEFAULT false NOT NULL;--> statement-breakpoint
UPDATE "linehaul"."alert_known_cases" k SET "is_by_hand" = true FROM "linehaul"."alerts" a
WHERE a."rule_id" = k."rule_id" AND a."unit" = k."unit" AND a."closed_by" IS NOT NULL AND a."closed_ms" = k."known_ms";--> statement-breakpoint
DELETE FROM "linehaul"."site_visits" v USING "linehaul"."site_visits" o
WHERE o."site_id" = v."site_id" AND o."unit" = v."unit" AND o."arrived_ms" < v."arrived_ms"
  AND o."left_ms" IS NULL AND v."left_ms" IS NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "site_visits_open_unique" ON "linehaul"."site_visits" USING btree ("site_id","unit") WHERE "linehaul"."site_visits"."left_ms" is null;