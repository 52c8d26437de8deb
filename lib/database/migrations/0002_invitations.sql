CREATE TABLE "linehaul"."invitations" (
	"id" text PRIMARY KEY NOT NULL,
	"token_hash" text NOT NULL,
	"email" text NOT NULL,
	"role" text NOT NULL,
	"usdots" text[],
	"invited_by_id" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "invitations_role_known" CHECK ("linehaul"."invitations"."role" in ('dispatcher', 'manager'))
);
--> statement-breakpoint
CREATE TABLE "linehaul"."password_resets" (
	"id" text PRIMARY KEY NOT NULL,
	"token_hash" text NOT NULL,
	"user_id" text NOT NULL,
	"made_by_id" text,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "linehaul"."invitations" ADD CONSTRAINT "invitations_invited_by_id_users_id_fk" FOREIGN KEY ("invited_by_id") REFERENCES "linehaul"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "linehaul"."password_resets" ADD CONSTRAINT "password_resets_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "linehaul"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "linehaul"."password_resets" ADD CONSTRAINT "password_resets_made_by_id_users_id_fk" FOREIGN KEY ("made_by_id") REFERENCES "linehaul"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "invitations_token_hash_unique" ON "linehaul"."invitations" USING btree ("token_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "invitations_email_unique" ON "linehaul"."invitations" USING btree ("email");--> statement-breakpoint
CREATE UNIQUE INDEX "password_resets_token_hash_unique" ON "linehaul"."password_resets" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "password_resets_user_id" ON "linehaul"."password_resets" USING btree ("user_id");