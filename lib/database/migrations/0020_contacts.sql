CREATE TABLE "linehaul"."unit_contacts" (
	"usdot" text NOT NULL,
	"unit" text NOT NULL,
	"driver" text DEFAULT '' NOT NULL,
	"driver_phone" text DEFAULT '' NOT NULL,
	"second_driver" text DEFAULT '' NOT NULL,
	"second_driver_phone" text DEFAULT '' NOT NULL,
	"dispatcher" text DEFAULT '' NOT NULL,
	"dispatcher_phone" text DEFAULT '' NOT NULL,
	"text" text DEFAULT '' NOT NULL,
	"changed_ms" bigint NOT NULL,
	CONSTRAINT "unit_contacts_usdot_unit_pk" PRIMARY KEY("usdot","unit")
);
--> statement-breakpoint
ALTER TABLE "linehaul"."webhooks" ADD COLUMN "includes_contacts" boolean DEFAULT false NOT NULL;