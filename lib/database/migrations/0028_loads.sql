CREATE TABLE "linehaul"."load_keys" (
	"id" text PRIMARY KEY NOT NULL,
	"usdot" text NOT NULL,
	"name" text NOT NULL,
	"key_hash" text NOT NULL,
	"prefix" text NOT NULL,
	"made_by" text NOT NULL,
	"made_by_id" text,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone,
	"used_at" timestamp with time zone,
	"revoked_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "linehaul"."arrival_grades" (
	"load_id" bigint NOT NULL,
	"position" smallint NOT NULL,
	"lead_ms" bigint NOT NULL,
	"usdot" text NOT NULL,
	"unit" text NOT NULL,
	"shown_ms" bigint NOT NULL,
	"fix_ms" bigint NOT NULL,
	"from_ms" bigint NOT NULL,
	"to_ms" bigint NOT NULL,
	"by" text NOT NULL,
	"is_standing" boolean NOT NULL,
	"stops" double precision NOT NULL,
	"expected_ms" bigint NOT NULL,
	"dist_m" double precision NOT NULL,
	"arrived_ms" bigint NOT NULL,
	CONSTRAINT "arrival_grades_load_id_position_lead_ms_pk" PRIMARY KEY("load_id","position","lead_ms")
);
--> statement-breakpoint
CREATE TABLE "linehaul"."load_events" (
	"load_id" bigint NOT NULL,
	"at_ms" bigint NOT NULL,
	"kind" text NOT NULL,
	"position" smallint DEFAULT -1 NOT NULL,
	"unit" text DEFAULT '' NOT NULL,
	"seen_ms" bigint NOT NULL,
	"actor" text,
	"details" jsonb,
	CONSTRAINT "load_events_load_id_kind_position_unit_at_ms_pk" PRIMARY KEY("load_id","kind","position","unit","at_ms")
);
--> statement-breakpoint
CREATE TABLE "linehaul"."load_states" (
	"load_id" bigint PRIMARY KEY NOT NULL,
	"seen_ms" bigint NOT NULL,
	"state" text NOT NULL,
	"next" smallint,
	"verdict" text NOT NULL,
	"window" jsonb,
	"no_window" text,
	"shown" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "linehaul"."load_stops" (
	"load_id" bigint NOT NULL,
	"position" smallint NOT NULL,
	"kind" text NOT NULL,
	"site_id" integer,
	"name" text NOT NULL,
	"address" text DEFAULT '' NOT NULL,
	"lat" double precision NOT NULL,
	"lng" double precision NOT NULL,
	"time_zone" text NOT NULL,
	"appointment_from_ms" bigint,
	"appointment_to_ms" bigint,
	"free_min" integer,
	"contact_name" text DEFAULT '' NOT NULL,
	"contact_phone" text DEFAULT '' NOT NULL,
	CONSTRAINT "load_stops_load_id_position_pk" PRIMARY KEY("load_id","position")
);
--> statement-breakpoint
CREATE TABLE "linehaul"."load_trucks" (
	"load_id" bigint NOT NULL,
	"from_ms" bigint NOT NULL,
	"to_ms" bigint,
	"unit" text NOT NULL,
	"made_by" text NOT NULL,
	CONSTRAINT "load_trucks_load_id_from_ms_pk" PRIMARY KEY("load_id","from_ms")
);
--> statement-breakpoint
CREATE TABLE "linehaul"."loads" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "linehaul"."loads_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"usdot" text NOT NULL,
	"reference" text NOT NULL,
	"po" text DEFAULT '' NOT NULL,
	"bol" text DEFAULT '' NOT NULL,
	"customer" text DEFAULT '' NOT NULL,
	"note" text DEFAULT '' NOT NULL,
	"tags" text[] DEFAULT '{}'::text[] NOT NULL,
	"ended_ms" bigint,
	"ended_by" text,
	"revision" integer DEFAULT 0 NOT NULL,
	"made_by" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "loads_reference_unique" UNIQUE("usdot","reference")
);
--> statement-breakpoint
ALTER TABLE "linehaul"."sites" ADD COLUMN "is_of_load" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "linehaul"."load_keys" ADD CONSTRAINT "load_keys_made_by_id_users_id_fk" FOREIGN KEY ("made_by_id") REFERENCES "linehaul"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "linehaul"."arrival_grades" ADD CONSTRAINT "arrival_grades_load_id_loads_id_fk" FOREIGN KEY ("load_id") REFERENCES "linehaul"."loads"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "linehaul"."load_events" ADD CONSTRAINT "load_events_load_id_loads_id_fk" FOREIGN KEY ("load_id") REFERENCES "linehaul"."loads"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "linehaul"."load_states" ADD CONSTRAINT "load_states_load_id_loads_id_fk" FOREIGN KEY ("load_id") REFERENCES "linehaul"."loads"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "linehaul"."load_stops" ADD CONSTRAINT "load_stops_load_id_loads_id_fk" FOREIGN KEY ("load_id") REFERENCES "linehaul"."loads"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "linehaul"."load_stops" ADD CONSTRAINT "load_stops_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "linehaul"."sites"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "linehaul"."load_trucks" ADD CONSTRAINT "load_trucks_load_id_loads_id_fk" FOREIGN KEY ("load_id") REFERENCES "linehaul"."loads"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "load_keys_key_hash" ON "linehaul"."load_keys" USING btree ("key_hash");--> statement-breakpoint
CREATE INDEX "load_keys_made_by_id" ON "linehaul"."load_keys" USING btree ("made_by_id");--> statement-breakpoint
CREATE INDEX "arrival_grades_of_fleet" ON "linehaul"."arrival_grades" USING btree ("usdot","arrived_ms");--> statement-breakpoint
CREATE INDEX "load_stops_of_site" ON "linehaul"."load_stops" USING btree ("site_id");--> statement-breakpoint
CREATE INDEX "load_trucks_of_unit" ON "linehaul"."load_trucks" USING btree ("unit");--> statement-breakpoint
CREATE INDEX "loads_under_way" ON "linehaul"."loads" USING btree ("usdot") WHERE "linehaul"."loads"."ended_ms" is null;--> statement-breakpoint
CREATE INDEX "loads_ended" ON "linehaul"."loads" USING btree ("usdot","ended_ms");