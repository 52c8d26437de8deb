CREATE TABLE "tracking"."no_position_reports" (
	"vehicle_id" integer PRIMARY KEY NOT NULL,
	"count" bigint NOT NULL,
	"newest_at_ms" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "tracking"."no_position_reports" ADD CONSTRAINT "no_position_reports_vehicle_id_vehicles_id_fk" FOREIGN KEY ("vehicle_id") REFERENCES "tracking"."vehicles"("id") ON DELETE cascade ON UPDATE no action;