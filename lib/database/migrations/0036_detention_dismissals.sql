CREATE TABLE "linehaul"."detention_dismissals" (
	"usdot" text NOT NULL,
	"unit" text NOT NULL,
	"site_id" integer NOT NULL,
	"arrived_ms" bigint NOT NULL,
	"left_ms" bigint NOT NULL,
	"made_by" text NOT NULL,
	"made_at" timestamp with time zone NOT NULL,
	CONSTRAINT "detention_dismissals_usdot_unit_site_id_arrived_ms_pk" PRIMARY KEY("usdot","unit","site_id","arrived_ms")
);
--> statement-breakpoint
ALTER TABLE "linehaul"."detention_dismissals" ADD CONSTRAINT "detention_dismissals_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "linehaul"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "detention_dismissals_of_site" ON "linehaul"."detention_dismissals" USING btree ("site_id");