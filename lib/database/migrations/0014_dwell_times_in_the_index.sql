DROP INDEX "linehaul"."site_visits_left";--> statement-breakpoint
CREATE INDEX "site_visits_left" ON "linehaul"."site_visits" USING btree ("site_id","left_ms","arrived_ms");