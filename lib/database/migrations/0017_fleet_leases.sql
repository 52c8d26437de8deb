CREATE TABLE "linehaul"."fleet_leases" (
	"version" text NOT NULL,
	"usdot" text NOT NULL,
	"server" text,
	"fence" bigint NOT NULL,
	"taken_at" timestamp with time zone NOT NULL,
	"polled_at" timestamp with time zone,
	CONSTRAINT "fleet_leases_version_usdot_pk" PRIMARY KEY("version","usdot")
);
--> statement-breakpoint
CREATE TABLE "linehaul"."sharing_servers" (
	"id" text PRIMARY KEY NOT NULL,
	"version" text NOT NULL,
	"beat_at" timestamp with time zone NOT NULL,
	"stated" jsonb NOT NULL
);
