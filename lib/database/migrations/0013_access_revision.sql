CREATE TABLE "linehaul"."revisions" (
	"name" text PRIMARY KEY NOT NULL,
	"revision" bigint NOT NULL
);

--> statement-breakpoint
CREATE FUNCTION "linehaul"."raise_access_revision"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "linehaul"."revisions" AS held ("name", "revision") VALUES ('access', 1)
	ON CONFLICT ("name") DO UPDATE SET "revision" = held."revision" + 1;
	RETURN NULL;
END
$$;
--> statement-breakpoint
-- Deferred: the lock of the one row is then the last that a transaction takes, so that two of them do not wait for each other.
CREATE CONSTRAINT TRIGGER "users_raise_access" AFTER UPDATE OR DELETE ON "linehaul"."users" DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION "linehaul"."raise_access_revision"();
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "sessions_raise_access" AFTER DELETE ON "linehaul"."sessions" DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION "linehaul"."raise_access_revision"();
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "wall_screens_raise_access" AFTER UPDATE OF "revoked_at", "usdots" OR DELETE ON "linehaul"."wall_screens" DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION "linehaul"."raise_access_revision"();
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "settings_raise_access" AFTER INSERT OR UPDATE OR DELETE ON "linehaul"."settings" DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION "linehaul"."raise_access_revision"();
