ALTER TABLE "tracking"."fixes" ADD COLUMN "is_ignition_on" boolean;--> statement-breakpoint
ALTER TABLE "tracking"."fixes" ADD COLUMN "odometer_m" double precision;--> statement-breakpoint
ALTER TABLE "tracking"."fixes" ADD COLUMN "alarm" text;--> statement-breakpoint
ALTER TABLE "tracking"."positions" ADD COLUMN "is_ignition_on" boolean;--> statement-breakpoint
ALTER TABLE "tracking"."positions" ADD COLUMN "odometer_m" double precision;--> statement-breakpoint
ALTER TABLE "tracking"."positions" ADD COLUMN "alarm" text;