CREATE TABLE "linehaul"."report_mails" (
	"user_id" text NOT NULL,
	"usdot" text NOT NULL,
	"at_min" integer NOT NULL,
	"time_zone" text NOT NULL,
	"weekdays" integer[] NOT NULL,
	"hours" integer NOT NULL,
	"sent_ms" bigint,
	"kind" text NOT NULL,
	"unit" text,
	"tag" text,
	"is_ending" boolean DEFAULT false NOT NULL,
	CONSTRAINT "report_mails_user_id_usdot_kind_pk" PRIMARY KEY("user_id","usdot","kind")
);
--> statement-breakpoint
INSERT INTO "linehaul"."report_mails" ("user_id", "usdot", "at_min", "time_zone", "weekdays", "hours", "sent_ms", "kind", "unit", "tag")
	SELECT "user_id", "usdot", "at_min", "time_zone", "weekdays", "hours", "sent_ms", "kind", "unit", "tag" FROM "linehaul"."handover_mails" WHERE "kind" <> 'handover';--> statement-breakpoint
DELETE FROM "linehaul"."handover_mails" WHERE "kind" <> 'handover';--> statement-breakpoint
ALTER TABLE "linehaul"."handover_mails" DROP CONSTRAINT "handover_mails_user_id_usdot_kind_pk";--> statement-breakpoint
ALTER TABLE "linehaul"."handover_mails" ADD CONSTRAINT "handover_mails_user_id_usdot_pk" PRIMARY KEY("user_id","usdot");--> statement-breakpoint
ALTER TABLE "linehaul"."report_mails" ADD CONSTRAINT "report_mails_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "linehaul"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "linehaul"."handover_mails" DROP COLUMN "kind";--> statement-breakpoint
ALTER TABLE "linehaul"."handover_mails" DROP COLUMN "unit";--> statement-breakpoint
ALTER TABLE "linehaul"."handover_mails" DROP COLUMN "tag";