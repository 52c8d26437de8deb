CREATE TABLE "tracking"."api_key_secrets" (
	"id" text PRIMARY KEY NOT NULL,
	"key_id" text NOT NULL,
	"prefix" text,
	"key_hash" "bytea" NOT NULL,
	"provider_token_hash" "bytea" NOT NULL,
	"created_at_ms" bigint NOT NULL,
	"ends_at_ms" bigint,
	"last_used_at_ms" bigint,
	CONSTRAINT "api_key_secrets_key_hash_unique" UNIQUE("key_hash")
);
--> statement-breakpoint
ALTER TABLE "tracking"."api_keys" ADD COLUMN "created_by" text;--> statement-breakpoint
ALTER TABLE "tracking"."api_keys" ADD COLUMN "endpoints" text[];--> statement-breakpoint
ALTER TABLE "tracking"."api_keys" ADD COLUMN "expires_at_ms" bigint;--> statement-breakpoint
ALTER TABLE "tracking"."api_keys" ADD COLUMN "allowed_networks" text[];--> statement-breakpoint
ALTER TABLE "tracking"."api_keys" ADD COLUMN "requests_per_minute" integer;--> statement-breakpoint
ALTER TABLE "tracking"."ingest_tokens" ADD COLUMN "prefix" text;--> statement-breakpoint
ALTER TABLE "tracking"."ingest_tokens" ADD COLUMN "created_by" text;--> statement-breakpoint
ALTER TABLE "tracking"."ingest_tokens" ADD COLUMN "last_used_at_ms" bigint;--> statement-breakpoint
ALTER TABLE "tracking"."api_key_secrets" ADD CONSTRAINT "api_key_secrets_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "tracking"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "api_key_secrets_key_id" ON "tracking"."api_key_secrets" USING btree ("key_id");--> statement-breakpoint
-- A key of the version before has one pair of secrets, under the key's own id; how it began is not known any more.
INSERT INTO "tracking"."api_key_secrets" ("id", "key_id", "key_hash", "provider_token_hash", "created_at_ms")
SELECT "id", "id", "key_hash", "provider_token_hash", "created_at_ms" FROM "tracking"."api_keys";--> statement-breakpoint
ALTER TABLE "tracking"."api_keys" DROP CONSTRAINT "api_keys_key_hash_unique";--> statement-breakpoint
ALTER TABLE "tracking"."api_keys" DROP COLUMN "key_hash";--> statement-breakpoint
ALTER TABLE "tracking"."api_keys" DROP COLUMN "provider_token_hash";
