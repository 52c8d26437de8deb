CREATE TABLE "linehaul"."proof_documents" (
	"number" text NOT NULL,
	"revision" integer NOT NULL,
	"usdot" text NOT NULL,
	"kind" text NOT NULL,
	"unit" text NOT NULL,
	"load_id" bigint,
	"about" text NOT NULL,
	"jws" text NOT NULL,
	"kid" text NOT NULL,
	"content_hash" text NOT NULL,
	"issued_ms" bigint NOT NULL,
	"is_shown_by_number" boolean NOT NULL,
	"made_by" text NOT NULL,
	"made_by_id" text,
	CONSTRAINT "proof_documents_number_revision_pk" PRIMARY KEY("number","revision")
);
--> statement-breakpoint
CREATE TABLE "linehaul"."proof_keys" (
	"kid" text PRIMARY KEY NOT NULL,
	"x" text NOT NULL,
	"sealed" text NOT NULL,
	"from_ms" bigint NOT NULL,
	"until_ms" bigint,
	"revoked_ms" bigint
);
--> statement-breakpoint
ALTER TABLE "linehaul"."proof_documents" ADD CONSTRAINT "proof_documents_load_id_loads_id_fk" FOREIGN KEY ("load_id") REFERENCES "linehaul"."loads"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "linehaul"."proof_documents" ADD CONSTRAINT "proof_documents_kid_proof_keys_kid_fk" FOREIGN KEY ("kid") REFERENCES "linehaul"."proof_keys"("kid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "linehaul"."proof_documents" ADD CONSTRAINT "proof_documents_made_by_id_users_id_fk" FOREIGN KEY ("made_by_id") REFERENCES "linehaul"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "proof_documents_of_fleet" ON "linehaul"."proof_documents" USING btree ("usdot","issued_ms");--> statement-breakpoint
CREATE INDEX "proof_documents_of_load" ON "linehaul"."proof_documents" USING btree ("load_id");--> statement-breakpoint
CREATE INDEX "proof_documents_of_key" ON "linehaul"."proof_documents" USING btree ("kid","issued_ms");--> statement-breakpoint
CREATE INDEX "proof_documents_made_by_id" ON "linehaul"."proof_documents" USING btree ("made_by_id");--> statement-breakpoint
CREATE UNIQUE INDEX "proof_keys_one_signs" ON "linehaul"."proof_keys" USING btree ((true)) WHERE "linehaul"."proof_keys"."until_ms" is null;