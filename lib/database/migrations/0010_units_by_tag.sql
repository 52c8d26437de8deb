ALTER TABLE "linehaul"."invitations" ADD COLUMN "tags" text[];--> statement-breakpoint
ALTER TABLE "linehaul"."users" ADD COLUMN "tags" text[];--> statement-breakpoint
ALTER TABLE "linehaul"."users" ADD CONSTRAINT "users_managers_see_all" CHECK ("linehaul"."users"."role" <> 'manager' or "linehaul"."users"."tags" is null);