CREATE TABLE "linehaul"."pickup_codes" (
	"load_id" bigint PRIMARY KEY NOT NULL,
	"nonce" text NOT NULL,
	"code_hash" text NOT NULL,
	"made_by" text NOT NULL,
	"made_ms" bigint NOT NULL,
	"wrong_ms" bigint
);
--> statement-breakpoint
ALTER TABLE "linehaul"."pickup_codes" ADD CONSTRAINT "pickup_codes_load_id_loads_id_fk" FOREIGN KEY ("load_id") REFERENCES "linehaul"."loads"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "pickup_codes_hash" ON "linehaul"."pickup_codes" USING btree ("code_hash");