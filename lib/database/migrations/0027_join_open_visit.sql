-- A server of the version before writes arrivals beside an open visit: each is that visit, and its poll is not refused.
CREATE FUNCTION "linehaul"."join_open_visit"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	SELECT "arrived_ms", "arrived_after_ms" INTO NEW."arrived_ms", NEW."arrived_after_ms" FROM (
		SELECT "arrived_ms", "arrived_after_ms", 1 AS "place" FROM "linehaul"."site_visits"
		WHERE "site_id" = NEW."site_id" AND "unit" = NEW."unit" AND "left_ms" IS NULL
		UNION ALL SELECT NEW."arrived_ms", NEW."arrived_after_ms", 2
	) held ORDER BY "place" LIMIT 1;
	RETURN NEW;
END
$$;
--> statement-breakpoint
CREATE TRIGGER "site_visits_join_open" BEFORE INSERT ON "linehaul"."site_visits" FOR EACH ROW WHEN (NEW."left_ms" IS NULL AND NEW."origin" = 'live') EXECUTE FUNCTION "linehaul"."join_open_visit"();
