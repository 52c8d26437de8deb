CREATE SCHEMA "linehaul";
--> statement-breakpoint
CREATE TABLE "linehaul"."audit_log" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "linehaul"."audit_log_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at_ms" bigint NOT NULL,
	"actor_id" text,
	"actor" text NOT NULL,
	"action" text NOT NULL,
	"subject" text,
	"address" text,
	"outcome" text NOT NULL,
	"details" jsonb
);
--> statement-breakpoint
CREATE TABLE "linehaul"."identities" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"account_id" text NOT NULL,
	"provider_id" text NOT NULL,
	"access_token" text,
	"refresh_token" text,
	"id_token" text,
	"access_token_expires_at" timestamp with time zone,
	"refresh_token_expires_at" timestamp with time zone,
	"scope" text,
	"password" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "identities_provider_account_unique" UNIQUE("provider_id","account_id")
);
--> statement-breakpoint
CREATE TABLE "linehaul"."sessions" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"token" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"ip_address" text,
	"user_agent" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "linehaul"."users" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"email" text NOT NULL,
	"email_verified" boolean DEFAULT false NOT NULL,
	"image" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"role" text DEFAULT 'dispatcher' NOT NULL,
	"usdots" text[] DEFAULT '{}'::text[],
	"disabled_at" timestamp with time zone,
	CONSTRAINT "users_role_known" CHECK ("linehaul"."users"."role" in ('dispatcher', 'manager'))
);
--> statement-breakpoint
CREATE TABLE "linehaul"."verifications" (
	"id" text PRIMARY KEY NOT NULL,
	"identifier" text NOT NULL,
	"value" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "linehaul"."identities" ADD CONSTRAINT "identities_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "linehaul"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "linehaul"."sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "linehaul"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "audit_log_at_ms" ON "linehaul"."audit_log" USING btree ("at_ms");--> statement-breakpoint
CREATE INDEX "audit_log_action" ON "linehaul"."audit_log" USING btree ("action","at_ms");--> statement-breakpoint
CREATE INDEX "identities_user_id" ON "linehaul"."identities" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "sessions_token_unique" ON "linehaul"."sessions" USING btree ("token");--> statement-breakpoint
CREATE INDEX "sessions_user_id" ON "linehaul"."sessions" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "users_email_unique" ON "linehaul"."users" USING btree ("email");--> statement-breakpoint
CREATE INDEX "verifications_identifier" ON "linehaul"."verifications" USING btree ("identifier");--> statement-breakpoint
CREATE FUNCTION "linehaul"."refuse_change_of_audit_log"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	RAISE EXCEPTION 'The audit log is only added to.';
END;
$$;--> statement-breakpoint
CREATE TRIGGER "audit_log_only_added_to" BEFORE UPDATE OR DELETE OR TRUNCATE ON "linehaul"."audit_log" FOR EACH STATEMENT EXECUTE FUNCTION "linehaul"."refuse_change_of_audit_log"();
