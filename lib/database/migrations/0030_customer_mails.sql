CREATE TABLE "linehaul"."customer_mails" (
	"id" text PRIMARY KEY NOT NULL,
	"load_id" bigint NOT NULL,
	"address" text NOT NULL,
	"about" text NOT NULL,
	"site_id" integer NOT NULL,
	"nth" smallint NOT NULL,
	"appointment_ms" bigint NOT NULL,
	"state" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"problem" text,
	"created_ms" bigint NOT NULL,
	"updated_ms" bigint NOT NULL,
	CONSTRAINT "customer_mails_once" UNIQUE("load_id","address","about","site_id","nth","appointment_ms")
);
--> statement-breakpoint
CREATE TABLE "linehaul"."load_mails" (
	"load_id" bigint PRIMARY KEY NOT NULL,
	"addresses" jsonb NOT NULL,
	"about" text[] NOT NULL,
	"language" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "linehaul"."site_calendars" (
	"id" text PRIMARY KEY NOT NULL,
	"usdot" text NOT NULL,
	"site_id" integer NOT NULL,
	"nonce" text NOT NULL,
	"token_hash" text NOT NULL,
	"recipient" text NOT NULL,
	"language" text NOT NULL,
	"shows_truck" boolean NOT NULL,
	"ends_ms" bigint,
	"made_by" text NOT NULL,
	"made_by_id" text,
	"made_ms" bigint NOT NULL,
	"revoked_ms" bigint
);
--> statement-breakpoint
ALTER TABLE "linehaul"."customer_mails" ADD CONSTRAINT "customer_mails_load_id_loads_id_fk" FOREIGN KEY ("load_id") REFERENCES "linehaul"."loads"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "linehaul"."load_mails" ADD CONSTRAINT "load_mails_load_id_loads_id_fk" FOREIGN KEY ("load_id") REFERENCES "linehaul"."loads"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "linehaul"."site_calendars" ADD CONSTRAINT "site_calendars_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "linehaul"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "linehaul"."site_calendars" ADD CONSTRAINT "site_calendars_made_by_id_users_id_fk" FOREIGN KEY ("made_by_id") REFERENCES "linehaul"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "customer_mails_pending" ON "linehaul"."customer_mails" USING btree ("created_ms") WHERE "linehaul"."customer_mails"."state" = 'pending';--> statement-breakpoint
CREATE UNIQUE INDEX "site_calendars_token_hash" ON "linehaul"."site_calendars" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "site_calendars_of_fleet" ON "linehaul"."site_calendars" USING btree ("usdot","made_ms");--> statement-breakpoint
CREATE INDEX "site_calendars_of_site" ON "linehaul"."site_calendars" USING btree ("site_id");--> statement-breakpoint
CREATE INDEX "site_calendars_made_by_id" ON "linehaul"."site_calendars" USING btree ("made_by_id");