CREATE TABLE "tracking"."refused_reports" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "tracking"."refused_reports_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"token_id" text NOT NULL,
	"at_ms" bigint NOT NULL,
	"protocol" text NOT NULL,
	"code" text NOT NULL,
	"detail" text NOT NULL,
	"device_id" text
);
--> statement-breakpoint
ALTER TABLE "tracking"."refused_reports" ADD CONSTRAINT "refused_reports_token_id_ingest_tokens_id_fk" FOREIGN KEY ("token_id") REFERENCES "tracking"."ingest_tokens"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "refused_reports_token_id" ON "tracking"."refused_reports" USING btree ("token_id","id");