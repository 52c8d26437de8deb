CREATE TABLE "linehaul"."fleet_fences" (
	"usdot" text PRIMARY KEY NOT NULL,
	"fence" bigint NOT NULL
);
