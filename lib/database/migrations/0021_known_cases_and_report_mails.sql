CREATE TABLE "linehaul"."alert_known_cases" (
	"rule_id" integer NOT NULL,
	"unit" text NOT NULL,
	"known_ms" bigint NOT NULL,
	"site_id" integer,
	"since_ms" bigint,
	CONSTRAINT "alert_known_cases_rule_id_unit_pk" PRIMARY KEY("rule_id","unit")
);
--> statement-breakpoint
ALTER TABLE "linehaul"."handover_mails" DROP CONSTRAINT "handover_mails_user_id_usdot_pk";--> statement-breakpoint
ALTER TABLE "linehaul"."alert_rules" ADD COLUMN "new_from_ms" bigint;--> statement-breakpoint
ALTER TABLE "linehaul"."alert_rules" ADD COLUMN "known_from_ms" bigint;--> statement-breakpoint
ALTER TABLE "linehaul"."alerts" ADD COLUMN "closed_by" text;--> statement-breakpoint
ALTER TABLE "linehaul"."handover_mails" ADD COLUMN "kind" text DEFAULT 'handover' NOT NULL;--> statement-breakpoint
ALTER TABLE "linehaul"."handover_mails" ADD CONSTRAINT "handover_mails_user_id_usdot_kind_pk" PRIMARY KEY("user_id","usdot","kind");--> statement-breakpoint
ALTER TABLE "linehaul"."handover_mails" ADD COLUMN "unit" text;--> statement-breakpoint
ALTER TABLE "linehaul"."handover_mails" ADD COLUMN "tag" text;--> statement-breakpoint
ALTER TABLE "linehaul"."alert_known_cases" ADD CONSTRAINT "alert_known_cases_rule_id_alert_rules_id_fk" FOREIGN KEY ("rule_id") REFERENCES "linehaul"."alert_rules"("id") ON DELETE cascade ON UPDATE no action;