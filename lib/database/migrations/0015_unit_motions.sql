CREATE TABLE "linehaul"."unit_motions" (
	"usdot" text NOT NULL,
	"unit" text NOT NULL,
	"motion" jsonb NOT NULL,
	CONSTRAINT "unit_motions_usdot_unit_pk" PRIMARY KEY("usdot","unit")
);
