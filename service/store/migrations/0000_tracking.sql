CREATE SCHEMA "tracking";
--> statement-breakpoint
CREATE SEQUENCE "tracking"."revisions" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1;--> statement-breakpoint
CREATE TABLE "tracking"."api_keys" (
	"id" text PRIMARY KEY NOT NULL,
	"usdot" text NOT NULL,
	"name" text NOT NULL,
	"key_hash" "bytea" NOT NULL,
	"provider_token_hash" "bytea" NOT NULL,
	"created_at_ms" bigint NOT NULL,
	"revoked_at_ms" bigint,
	CONSTRAINT "api_keys_key_hash_unique" UNIQUE("key_hash")
);
--> statement-breakpoint
CREATE TABLE "tracking"."carriers" (
	"usdot" text PRIMARY KEY NOT NULL,
	"company_name" text NOT NULL,
	"company_id" text NOT NULL,
	"mc_number" text,
	"revision" bigint DEFAULT nextval('tracking.revisions') NOT NULL,
	"vehicles_revision" bigint DEFAULT nextval('tracking.revisions') NOT NULL
);
--> statement-breakpoint
CREATE TABLE "tracking"."fixes" (
	"vehicle_id" integer NOT NULL,
	"fix_at_ms" bigint NOT NULL,
	"received_at_ms" bigint NOT NULL,
	"lat" double precision NOT NULL,
	"lng" double precision NOT NULL,
	"speed_kph" real,
	"heading_deg" real,
	"altitude_m" real,
	"accuracy_m" real,
	"battery_percent" real,
	CONSTRAINT "fixes_vehicle_id_fix_at_ms_pk" PRIMARY KEY("vehicle_id","fix_at_ms")
);
--> statement-breakpoint
CREATE TABLE "tracking"."ingest_tokens" (
	"id" text PRIMARY KEY NOT NULL,
	"usdot" text NOT NULL,
	"name" text NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"created_at_ms" bigint NOT NULL,
	"revoked_at_ms" bigint,
	CONSTRAINT "ingest_tokens_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "tracking"."positions" (
	"vehicle_id" integer PRIMARY KEY NOT NULL,
	"revision" bigint NOT NULL,
	"order_at_ms" bigint NOT NULL,
	"fix_at_ms" bigint NOT NULL,
	"received_at_ms" bigint NOT NULL,
	"lat" double precision NOT NULL,
	"lng" double precision NOT NULL,
	"speed_kph" real,
	"heading_deg" real,
	"altitude_m" real,
	"accuracy_m" real,
	"battery_percent" real
);
--> statement-breakpoint
CREATE TABLE "tracking"."vehicles" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "tracking"."vehicles_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"usdot" text NOT NULL,
	"vin" text NOT NULL,
	"truck_number" text,
	"device_id" text,
	"plate_state" text,
	"plate_number" text,
	"asset_type" text,
	"make" text,
	"model" text,
	"year" integer,
	"fuel_type" text,
	"registered_usdot" text,
	"registered_mc_number" text,
	CONSTRAINT "vehicles_vin_unique" UNIQUE("vin"),
	CONSTRAINT "vehicles_usdot_device_id_unique" UNIQUE("usdot","device_id")
);
--> statement-breakpoint
ALTER TABLE "tracking"."api_keys" ADD CONSTRAINT "api_keys_usdot_carriers_usdot_fk" FOREIGN KEY ("usdot") REFERENCES "tracking"."carriers"("usdot") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tracking"."fixes" ADD CONSTRAINT "fixes_vehicle_id_vehicles_id_fk" FOREIGN KEY ("vehicle_id") REFERENCES "tracking"."vehicles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tracking"."ingest_tokens" ADD CONSTRAINT "ingest_tokens_usdot_carriers_usdot_fk" FOREIGN KEY ("usdot") REFERENCES "tracking"."carriers"("usdot") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tracking"."positions" ADD CONSTRAINT "positions_vehicle_id_vehicles_id_fk" FOREIGN KEY ("vehicle_id") REFERENCES "tracking"."vehicles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tracking"."vehicles" ADD CONSTRAINT "vehicles_usdot_carriers_usdot_fk" FOREIGN KEY ("usdot") REFERENCES "tracking"."carriers"("usdot") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "fixes_received_at_ms_brin" ON "tracking"."fixes" USING brin ("received_at_ms");--> statement-breakpoint
-- These two are updated without end; room on their pages keeps the new versions off the indexes.
ALTER TABLE "tracking"."positions" SET (fillfactor = 50);--> statement-breakpoint
ALTER TABLE "tracking"."carriers" SET (fillfactor = 50);
