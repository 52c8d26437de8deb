ALTER TABLE "linehaul"."site_calendars" ADD COLUMN "opened" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "linehaul"."site_calendars" ADD COLUMN "last_opened_ms" bigint;--> statement-breakpoint
CREATE INDEX "customer_mails_sent" ON "linehaul"."customer_mails" USING btree ("updated_ms") WHERE "linehaul"."customer_mails"."state" = 'sent';