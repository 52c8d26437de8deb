CREATE TABLE "linehaul"."states" (
	"seen_ms" bigint NOT NULL,
	"lat_e5" integer,
	"lng_e5" integer,
	"fix_s" integer,
	"since_s" integer,
	"dated_after_s" integer,
	"coarse_m" integer,
	"flags" integer,
	"speed_kph" smallint,
	"heading_deg" smallint,
	"status" smallint,
	"reason" smallint,
	"usdot" text COLLATE "C" NOT NULL,
	"unit" text COLLATE "C" NOT NULL
) PARTITION BY RANGE ("seen_ms");
--> statement-breakpoint
CREATE TABLE "linehaul"."status_counts" (
	"usdot" text NOT NULL,
	"from_ms" bigint NOT NULL,
	"counts" integer[] NOT NULL,
	CONSTRAINT "status_counts_usdot_from_ms_pk" PRIMARY KEY("usdot","from_ms")
);
--> statement-breakpoint
CREATE TABLE "linehaul"."unit_identities" (
	"usdot" text COLLATE "C" NOT NULL,
	"unit" text COLLATE "C" NOT NULL,
	"seen_ms" bigint NOT NULL,
	"identity" jsonb NOT NULL,
	CONSTRAINT "unit_identities_usdot_unit_seen_ms_pk" PRIMARY KEY("usdot","unit","seen_ms")
);
--> statement-breakpoint
ALTER TABLE "linehaul"."fixes" ADD COLUMN "speed_kph" smallint;--> statement-breakpoint
ALTER TABLE "linehaul"."fixes" ADD COLUMN "heading_deg" smallint;