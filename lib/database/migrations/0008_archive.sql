CREATE TABLE "linehaul"."archive_files" (
	"path" text PRIMARY KEY NOT NULL,
	"table_name" text NOT NULL,
	"usdot" text NOT NULL,
	"state" text NOT NULL,
	"from_ms" bigint NOT NULL,
	"to_ms" bigint NOT NULL,
	"least_ms" bigint,
	"greatest_ms" bigint,
	"rows" bigint,
	"bytes" bigint,
	CONSTRAINT "archive_files_state_known" CHECK ("linehaul"."archive_files"."state" in ('writing', 'listed', 'removed'))
);
--> statement-breakpoint
CREATE INDEX "archive_files_fleet" ON "linehaul"."archive_files" USING btree ("usdot","table_name","greatest_ms");