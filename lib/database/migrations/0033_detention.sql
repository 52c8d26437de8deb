CREATE TABLE "linehaul"."detention_statements" (
	"usdot" text NOT NULL,
	"number" text NOT NULL,
	"revision" integer NOT NULL,
	"unit" text NOT NULL,
	"site_id" integer,
	"site_name" text NOT NULL,
	"load_id" bigint,
	"position" smallint,
	"reference" text NOT NULL,
	"customer" text NOT NULL,
	"time_zone" text NOT NULL,
	"arrived_ms" bigint NOT NULL,
	"left_ms" bigint NOT NULL,
	"basis" text NOT NULL,
	"billable_min" integer NOT NULL,
	"most_min" integer,
	"amount_cents" integer NOT NULL,
	"issued_ms" bigint NOT NULL,
	"first_ms" bigint NOT NULL,
	CONSTRAINT "detention_statements_usdot_number_pk" PRIMARY KEY("usdot","number")
);
--> statement-breakpoint
CREATE TABLE "linehaul"."detention_terms" (
	"usdot" text NOT NULL,
	"key" text NOT NULL,
	"of" text NOT NULL,
	"customer" text,
	"site_id" integer,
	"load_id" bigint,
	"free_min" integer NOT NULL,
	"counted_from" text NOT NULL,
	"rate_cents" integer NOT NULL,
	"step_min" integer NOT NULL,
	"cap_cents" integer,
	"made_by" text NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "detention_terms_usdot_key_pk" PRIMARY KEY("usdot","key")
);
--> statement-breakpoint
ALTER TABLE "linehaul"."detention_statements" ADD CONSTRAINT "detention_statements_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "linehaul"."sites"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "linehaul"."detention_statements" ADD CONSTRAINT "detention_statements_load_id_loads_id_fk" FOREIGN KEY ("load_id") REFERENCES "linehaul"."loads"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "linehaul"."detention_terms" ADD CONSTRAINT "detention_terms_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "linehaul"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "linehaul"."detention_terms" ADD CONSTRAINT "detention_terms_load_id_loads_id_fk" FOREIGN KEY ("load_id") REFERENCES "linehaul"."loads"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "detention_statements_of_visit" ON "linehaul"."detention_statements" USING btree ("usdot","unit","site_id","arrived_ms");--> statement-breakpoint
CREATE INDEX "detention_statements_of_site" ON "linehaul"."detention_statements" USING btree ("site_id");--> statement-breakpoint
CREATE INDEX "detention_statements_of_load" ON "linehaul"."detention_statements" USING btree ("load_id");--> statement-breakpoint
CREATE INDEX "detention_statements_by_arrival" ON "linehaul"."detention_statements" USING btree ("usdot","arrived_ms");--> statement-breakpoint
CREATE INDEX "detention_terms_of_site" ON "linehaul"."detention_terms" USING btree ("site_id");--> statement-breakpoint
CREATE INDEX "detention_terms_of_load" ON "linehaul"."detention_terms" USING btree ("load_id");