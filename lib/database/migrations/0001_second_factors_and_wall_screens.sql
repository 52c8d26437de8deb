CREATE TABLE "linehaul"."second_factors" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"secret" text NOT NULL,
	"recovery_codes" text NOT NULL,
	"verified" boolean DEFAULT true NOT NULL,
	"failed_count" integer DEFAULT 0 NOT NULL,
	"locked_until" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "linehaul"."wall_screens" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"token_hash" text NOT NULL,
	"usdots" text[],
	"made_by" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"seen_at" timestamp with time zone,
	"seen_address" text,
	"revoked_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "linehaul"."users" ADD COLUMN "two_factor_enabled" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "linehaul"."second_factors" ADD CONSTRAINT "second_factors_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "linehaul"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "second_factors_user_id" ON "linehaul"."second_factors" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "wall_screens_token_hash" ON "linehaul"."wall_screens" USING btree ("token_hash");