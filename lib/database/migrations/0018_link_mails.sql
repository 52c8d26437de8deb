CREATE TABLE "linehaul"."link_mails" (
	"id" text PRIMARY KEY NOT NULL,
	"invitation_id" text,
	"reset_id" text,
	"sealed" text,
	"state" text NOT NULL,
	"problem" text,
	"attempts" integer NOT NULL,
	"created_ms" bigint NOT NULL,
	"updated_ms" bigint NOT NULL,
	CONSTRAINT "link_mails_of_one_link" CHECK (num_nonnulls("linehaul"."link_mails"."invitation_id", "linehaul"."link_mails"."reset_id") = 1)
);
--> statement-breakpoint
ALTER TABLE "linehaul"."link_mails" ADD CONSTRAINT "link_mails_invitation_id_invitations_id_fk" FOREIGN KEY ("invitation_id") REFERENCES "linehaul"."invitations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "linehaul"."link_mails" ADD CONSTRAINT "link_mails_reset_id_password_resets_id_fk" FOREIGN KEY ("reset_id") REFERENCES "linehaul"."password_resets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "link_mails_invitation_id" ON "linehaul"."link_mails" USING btree ("invitation_id");--> statement-breakpoint
CREATE INDEX "link_mails_reset_id" ON "linehaul"."link_mails" USING btree ("reset_id");