ALTER TABLE "linehaul"."site_visits" ADD COLUMN "sure" jsonb;--> statement-breakpoint
ALTER TABLE "linehaul"."site_visits" ADD COLUMN "away_ms" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "linehaul"."site_visits" ADD COLUMN "count_due_ms" bigint;--> statement-breakpoint
UPDATE "linehaul"."site_visits" SET "count_due_ms" = coalesce("left_ms", "arrived_ms");--> statement-breakpoint
CREATE INDEX "site_visits_to_count" ON "linehaul"."site_visits" USING btree ("count_due_ms") WHERE "linehaul"."site_visits"."count_due_ms" is not null;--> statement-breakpoint
-- However its times change, a visit is counted again; the newest ones are first.
CREATE FUNCTION "linehaul"."count_visit_again"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	NEW."sure" := NULL;
	NEW."away_ms" := 0;
	NEW."count_due_ms" := coalesce(NEW."left_ms", NEW."arrived_ms");
	RETURN NEW;
END
$$;
--> statement-breakpoint
-- After the trigger that joins an open visit, which may change the times of a new one.
CREATE TRIGGER "site_visits_to_count_new" BEFORE INSERT ON "linehaul"."site_visits" FOR EACH ROW EXECUTE FUNCTION "linehaul"."count_visit_again"();
--> statement-breakpoint
CREATE TRIGGER "site_visits_to_count_moved" BEFORE UPDATE OF "unit", "arrived_after_ms", "arrived_ms", "left_ms", "left_by_ms" ON "linehaul"."site_visits" FOR EACH ROW
	WHEN ((OLD."unit", OLD."arrived_after_ms", OLD."arrived_ms", OLD."left_ms", OLD."left_by_ms") IS DISTINCT FROM (NEW."unit", NEW."arrived_after_ms", NEW."arrived_ms", NEW."left_ms", NEW."left_by_ms"))
	EXECUTE FUNCTION "linehaul"."count_visit_again"();
