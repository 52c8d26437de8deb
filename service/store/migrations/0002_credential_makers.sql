ALTER TABLE "tracking"."api_key_secrets" ADD COLUMN "made_by_id" text;--> statement-breakpoint
ALTER TABLE "tracking"."ingest_tokens" ADD COLUMN "made_by_id" text;--> statement-breakpoint
-- Makers were kept in words until now. Where the web application has its users in this database, those words are an
-- e-mail address; who rotated a key was not kept, so a pair that is younger than its key has no maker.
DO $$
BEGIN
	IF to_regclass('linehaul.users') IS NOT NULL THEN
		UPDATE "tracking"."api_key_secrets" AS "secrets" SET "made_by_id" = "users"."id"
		FROM "tracking"."api_keys" AS "keys" JOIN "linehaul"."users" AS "users" ON "users"."email" = "keys"."created_by"
		WHERE "secrets"."key_id" = "keys"."id" AND "secrets"."created_at_ms" = "keys"."created_at_ms";
		UPDATE "tracking"."ingest_tokens" AS "tokens" SET "made_by_id" = "users"."id"
		FROM "linehaul"."users" AS "users" WHERE "users"."email" = "tokens"."created_by";
	END IF;
END;
$$;
