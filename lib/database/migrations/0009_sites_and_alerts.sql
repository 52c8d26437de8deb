CREATE TABLE "linehaul"."alert_deliveries" (
	"id" text PRIMARY KEY NOT NULL,
	"alert_id" bigint NOT NULL,
	"event" text NOT NULL,
	"channel" text NOT NULL,
	"target" text NOT NULL,
	"state" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"last_error" text,
	"created_ms" bigint NOT NULL,
	"updated_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "linehaul"."alert_preferences" (
	"user_id" text PRIMARY KEY NOT NULL,
	"preferences" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "linehaul"."alert_reads" (
	"reader" text NOT NULL,
	"usdot" text NOT NULL,
	"last_alert_id" bigint NOT NULL,
	CONSTRAINT "alert_reads_reader_usdot_pk" PRIMARY KEY("reader","usdot")
);
--> statement-breakpoint
CREATE TABLE "linehaul"."alert_rules" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "linehaul"."alert_rules_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"usdot" text NOT NULL,
	"owner_id" text,
	"name" text NOT NULL,
	"condition" jsonb NOT NULL,
	"units" jsonb NOT NULL,
	"schedule" jsonb,
	"severity" text NOT NULL,
	"cool_down_min" integer NOT NULL,
	"is_enabled" boolean NOT NULL,
	"made_by" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "linehaul"."alerts" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "linehaul"."alerts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"usdot" text NOT NULL,
	"rule_id" integer,
	"rule_name" text NOT NULL,
	"owner_id" text,
	"severity" text NOT NULL,
	"unit" text NOT NULL,
	"opened_ms" bigint NOT NULL,
	"closed_ms" bigint,
	"facts" jsonb NOT NULL,
	"acknowledged_by" text,
	"acknowledged_ms" bigint,
	"note" text
);
--> statement-breakpoint
CREATE TABLE "linehaul"."fleet_readers" (
	"reader" text NOT NULL,
	"usdot" text NOT NULL,
	"start_view_id" text,
	"visited_ms" bigint,
	CONSTRAINT "fleet_readers_reader_usdot_pk" PRIMARY KEY("reader","usdot")
);
--> statement-breakpoint
CREATE TABLE "linehaul"."handover_mails" (
	"user_id" text NOT NULL,
	"usdot" text NOT NULL,
	"at_min" integer NOT NULL,
	"time_zone" text NOT NULL,
	"weekdays" integer[] NOT NULL,
	"hours" integer NOT NULL,
	"sent_ms" bigint,
	CONSTRAINT "handover_mails_user_id_usdot_pk" PRIMARY KEY("user_id","usdot")
);
--> statement-breakpoint
CREATE TABLE "linehaul"."push_subscriptions" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"endpoint" text NOT NULL,
	"keys" jsonb NOT NULL,
	"user_agent" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "linehaul"."saved_views" (
	"id" text PRIMARY KEY NOT NULL,
	"usdot" text NOT NULL,
	"reader" text NOT NULL,
	"is_shared" boolean NOT NULL,
	"name" text NOT NULL,
	"search" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "saved_views_name_unique" UNIQUE("usdot","reader","name")
);
--> statement-breakpoint
CREATE TABLE "linehaul"."site_visits" (
	"usdot" text NOT NULL,
	"site_id" integer NOT NULL,
	"unit" text NOT NULL,
	"arrived_ms" bigint NOT NULL,
	"arrived_after_ms" bigint,
	"left_ms" bigint,
	"left_by_ms" bigint,
	CONSTRAINT "site_visits_usdot_site_id_unit_arrived_ms_pk" PRIMARY KEY("usdot","site_id","unit","arrived_ms")
);
--> statement-breakpoint
CREATE TABLE "linehaul"."sites" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "linehaul"."sites_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"usdot" text NOT NULL,
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"color" text NOT NULL,
	"notes" text DEFAULT '' NOT NULL,
	"opening_hours" jsonb,
	"margin_m" integer NOT NULL,
	"shape" jsonb NOT NULL,
	"made_by" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "sites_name_unique" UNIQUE("usdot","name")
);
--> statement-breakpoint
CREATE TABLE "linehaul"."unit_notes" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "linehaul"."unit_notes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"usdot" text NOT NULL,
	"unit" text NOT NULL,
	"text" text NOT NULL,
	"author" text NOT NULL,
	"author_id" text,
	"created_ms" bigint NOT NULL,
	"expires_ms" bigint
);
--> statement-breakpoint
CREATE TABLE "linehaul"."unit_tags" (
	"usdot" text NOT NULL,
	"tag" text NOT NULL,
	"unit" text NOT NULL,
	CONSTRAINT "unit_tags_usdot_tag_unit_pk" PRIMARY KEY("usdot","tag","unit")
);
--> statement-breakpoint
CREATE TABLE "linehaul"."webhooks" (
	"id" text PRIMARY KEY NOT NULL,
	"usdot" text NOT NULL,
	"name" text NOT NULL,
	"url" text NOT NULL,
	"sealed_secret" text NOT NULL,
	"min_severity" text NOT NULL,
	"is_enabled" boolean NOT NULL,
	"made_by" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "linehaul"."alert_deliveries" ADD CONSTRAINT "alert_deliveries_alert_id_alerts_id_fk" FOREIGN KEY ("alert_id") REFERENCES "linehaul"."alerts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "linehaul"."alert_preferences" ADD CONSTRAINT "alert_preferences_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "linehaul"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "linehaul"."alert_rules" ADD CONSTRAINT "alert_rules_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "linehaul"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "linehaul"."alerts" ADD CONSTRAINT "alerts_rule_id_alert_rules_id_fk" FOREIGN KEY ("rule_id") REFERENCES "linehaul"."alert_rules"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "linehaul"."alerts" ADD CONSTRAINT "alerts_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "linehaul"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "linehaul"."fleet_readers" ADD CONSTRAINT "fleet_readers_start_view_id_saved_views_id_fk" FOREIGN KEY ("start_view_id") REFERENCES "linehaul"."saved_views"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "linehaul"."handover_mails" ADD CONSTRAINT "handover_mails_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "linehaul"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "linehaul"."push_subscriptions" ADD CONSTRAINT "push_subscriptions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "linehaul"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "linehaul"."site_visits" ADD CONSTRAINT "site_visits_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "linehaul"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "alert_deliveries_once" ON "linehaul"."alert_deliveries" USING btree ("alert_id","event","channel","target");--> statement-breakpoint
CREATE INDEX "alert_deliveries_target" ON "linehaul"."alert_deliveries" USING btree ("target","created_ms");--> statement-breakpoint
CREATE INDEX "alert_rules_usdot" ON "linehaul"."alert_rules" USING btree ("usdot");--> statement-breakpoint
CREATE INDEX "alerts_usdot" ON "linehaul"."alerts" USING btree ("usdot","id");--> statement-breakpoint
CREATE UNIQUE INDEX "alerts_open_unique" ON "linehaul"."alerts" USING btree ("rule_id","unit") WHERE "linehaul"."alerts"."closed_ms" is null;--> statement-breakpoint
CREATE INDEX "alerts_of_rule" ON "linehaul"."alerts" USING btree ("rule_id","unit","opened_ms");--> statement-breakpoint
CREATE UNIQUE INDEX "push_subscriptions_endpoint" ON "linehaul"."push_subscriptions" USING btree ("endpoint");--> statement-breakpoint
CREATE INDEX "push_subscriptions_user_id" ON "linehaul"."push_subscriptions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "site_visits_of_site" ON "linehaul"."site_visits" USING btree ("site_id","arrived_ms");--> statement-breakpoint
CREATE INDEX "site_visits_of_unit" ON "linehaul"."site_visits" USING btree ("usdot","unit","arrived_ms");--> statement-breakpoint
CREATE INDEX "unit_notes_usdot" ON "linehaul"."unit_notes" USING btree ("usdot","unit");--> statement-breakpoint
CREATE INDEX "webhooks_usdot" ON "linehaul"."webhooks" USING btree ("usdot");