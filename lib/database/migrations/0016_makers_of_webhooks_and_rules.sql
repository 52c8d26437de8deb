ALTER TABLE "linehaul"."alert_rules" ADD COLUMN "made_by_id" text;--> statement-breakpoint
ALTER TABLE "linehaul"."webhooks" ADD COLUMN "made_by_id" text;--> statement-breakpoint
ALTER TABLE "linehaul"."alert_rules" ADD CONSTRAINT "alert_rules_made_by_id_users_id_fk" FOREIGN KEY ("made_by_id") REFERENCES "linehaul"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "linehaul"."webhooks" ADD CONSTRAINT "webhooks_made_by_id_users_id_fk" FOREIGN KEY ("made_by_id") REFERENCES "linehaul"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
UPDATE "linehaul"."webhooks" w SET "made_by_id" = a."actor_id" FROM "linehaul"."audit_log" a
WHERE a."action" = 'webhook.add' AND a."details"->>'id' = w."id" AND a."actor_id" IN (SELECT "id" FROM "linehaul"."users");--> statement-breakpoint
UPDATE "linehaul"."alert_rules" r SET "made_by_id" = a."actor_id" FROM "linehaul"."audit_log" a
WHERE a."action" = 'alert-rule.add' AND a."details"->>'id' = r."id"::text AND a."actor_id" IN (SELECT "id" FROM "linehaul"."users");--> statement-breakpoint
UPDATE "linehaul"."webhooks" w SET "is_enabled" = false FROM "linehaul"."users" u
WHERE u."id" = w."made_by_id" AND (u."disabled_at" IS NOT NULL OR u."role" <> 'manager' OR NOT (u."usdots" IS NULL OR w."usdot" = ANY (u."usdots")));
