ALTER TABLE "tracking"."carriers" ADD COLUMN "fixes_revision" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "tracking"."fixes" ADD COLUMN "usdot" text;--> statement-breakpoint
ALTER TABLE "tracking"."fixes" ADD COLUMN "revision" bigint;--> statement-breakpoint
CREATE INDEX "fixes_usdot_revision" ON "tracking"."fixes" USING btree ("usdot","revision") WHERE revision IS NOT NULL;