CREATE TABLE "linehaul"."share_items" (
	"share_id" text NOT NULL,
	"position" smallint NOT NULL,
	"load_id" bigint,
	"unit" text,
	"alias" text NOT NULL,
	"visits_after_ms" bigint,
	"taken" jsonb,
	"ended_ms" bigint,
	"ended_by" text,
	CONSTRAINT "share_items_share_id_position_pk" PRIMARY KEY("share_id","position")
);
--> statement-breakpoint
CREATE TABLE "linehaul"."share_openings" (
	"share_id" text NOT NULL,
	"hour_ms" bigint NOT NULL,
	"count" integer NOT NULL,
	"places" bit(1024) NOT NULL,
	"last_ms" bigint NOT NULL,
	CONSTRAINT "share_openings_share_id_hour_ms_pk" PRIMARY KEY("share_id","hour_ms")
);
--> statement-breakpoint
CREATE TABLE "linehaul"."shares" (
	"id" text PRIMARY KEY NOT NULL,
	"usdot" text NOT NULL,
	"nonce" text NOT NULL,
	"token_hash" text NOT NULL,
	"recipient" text NOT NULL,
	"precision" text NOT NULL,
	"fields" text[] NOT NULL,
	"delay_min" integer NOT NULL,
	"ends_ms" bigint,
	"ends_on" text,
	"ends_at_stop" smallint,
	"ends_at_site" integer,
	"shows_end" boolean NOT NULL,
	"frame_origins" text[] NOT NULL,
	"made_by" text NOT NULL,
	"made_by_id" text,
	"made_ms" bigint NOT NULL,
	"revoked_ms" bigint
);
--> statement-breakpoint
ALTER TABLE "linehaul"."share_items" ADD CONSTRAINT "share_items_share_id_shares_id_fk" FOREIGN KEY ("share_id") REFERENCES "linehaul"."shares"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "linehaul"."share_items" ADD CONSTRAINT "share_items_load_id_loads_id_fk" FOREIGN KEY ("load_id") REFERENCES "linehaul"."loads"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "linehaul"."share_openings" ADD CONSTRAINT "share_openings_share_id_shares_id_fk" FOREIGN KEY ("share_id") REFERENCES "linehaul"."shares"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "linehaul"."shares" ADD CONSTRAINT "shares_ends_at_site_sites_id_fk" FOREIGN KEY ("ends_at_site") REFERENCES "linehaul"."sites"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "linehaul"."shares" ADD CONSTRAINT "shares_made_by_id_users_id_fk" FOREIGN KEY ("made_by_id") REFERENCES "linehaul"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "share_items_of_load" ON "linehaul"."share_items" USING btree ("load_id") WHERE "linehaul"."share_items"."ended_ms" is null;--> statement-breakpoint
CREATE INDEX "share_items_of_unit" ON "linehaul"."share_items" USING btree ("unit") WHERE "linehaul"."share_items"."ended_ms" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "shares_token_hash" ON "linehaul"."shares" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "shares_of_fleet" ON "linehaul"."shares" USING btree ("usdot","made_ms");--> statement-breakpoint
CREATE INDEX "shares_made_by_id" ON "linehaul"."shares" USING btree ("made_by_id");