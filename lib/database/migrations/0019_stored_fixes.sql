CREATE TABLE "linehaul"."handed_over" (
	"usdot" text PRIMARY KEY NOT NULL,
	"revision" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "linehaul"."late_trails" (
	"usdot" text NOT NULL,
	"unit" text NOT NULL,
	"from_ms" bigint NOT NULL,
	"to_ms" bigint NOT NULL,
	"seen_ms" bigint NOT NULL,
	CONSTRAINT "late_trails_usdot_unit_pk" PRIMARY KEY("usdot","unit")
);
--> statement-breakpoint
CREATE TABLE "linehaul"."site_scans" (
	"site_id" integer PRIMARY KEY NOT NULL,
	"usdot" text NOT NULL,
	"number" integer DEFAULT 1 NOT NULL,
	"watched_from_ms" bigint NOT NULL,
	"share" double precision DEFAULT 0 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "linehaul"."fixes" ADD COLUMN "is_from_store" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "linehaul"."site_visits" ADD COLUMN "origin" text DEFAULT 'live' NOT NULL;--> statement-breakpoint
ALTER TABLE "linehaul"."site_scans" ADD CONSTRAINT "site_scans_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "linehaul"."sites"("id") ON DELETE cascade ON UPDATE no action;