CREATE TABLE "linehaul"."coverage" (
	"usdot" text NOT NULL,
	"from_ms" bigint NOT NULL,
	"to_ms" bigint NOT NULL,
	"state" text NOT NULL,
	"problem" text,
	CONSTRAINT "coverage_usdot_from_ms_pk" PRIMARY KEY("usdot","from_ms"),
	CONSTRAINT "coverage_state_known" CHECK ("linehaul"."coverage"."state" in ('answered', 'failing', 'notRunning', 'lost'))
);
--> statement-breakpoint
CREATE TABLE "linehaul"."fixes" (
	"fix_ms" bigint NOT NULL,
	"seen_ms" bigint NOT NULL,
	"lat_e5" integer NOT NULL,
	"lng_e5" integer NOT NULL,
	"is_by_receipt" boolean NOT NULL,
	"usdot" text COLLATE "C" NOT NULL,
	"unit" text COLLATE "C" NOT NULL
) PARTITION BY RANGE ("seen_ms");
