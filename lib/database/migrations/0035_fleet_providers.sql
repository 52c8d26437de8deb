CREATE TABLE "linehaul"."fleet_providers" (
	"usdot" text NOT NULL,
	"from_ms" bigint NOT NULL,
	"provider" text NOT NULL,
	CONSTRAINT "fleet_providers_usdot_from_ms_pk" PRIMARY KEY("usdot","from_ms")
);
