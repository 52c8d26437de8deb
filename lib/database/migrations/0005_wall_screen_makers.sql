ALTER TABLE "linehaul"."wall_screens" ADD COLUMN "made_by_id" text;--> statement-breakpoint
ALTER TABLE "linehaul"."wall_screens" ADD CONSTRAINT "wall_screens_made_by_id_users_id_fk" FOREIGN KEY ("made_by_id") REFERENCES "linehaul"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "wall_screens_made_by_id" ON "linehaul"."wall_screens" USING btree ("made_by_id");--> statement-breakpoint
UPDATE "linehaul"."wall_screens" AS "screens" SET "made_by_id" = "users"."id"
FROM "linehaul"."users" AS "users" WHERE "users"."email" = "screens"."made_by";
