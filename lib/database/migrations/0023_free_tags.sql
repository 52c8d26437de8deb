CREATE TABLE "linehaul"."free_tags" (
	"usdot" text NOT NULL,
	"tag" text NOT NULL,
	"is_needed" boolean NOT NULL,
	CONSTRAINT "free_tags_usdot_tag_pk" PRIMARY KEY("usdot","tag")
);
