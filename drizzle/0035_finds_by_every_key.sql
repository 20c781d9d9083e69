CREATE INDEX "holds_workspace_id" ON "holds" USING btree ("workspace_id");--> statement-breakpoint
CREATE INDEX "industry_templates_base_config_id" ON "industry_templates" USING btree ("base_config_id");--> statement-breakpoint
CREATE INDEX "prompt_templates_base_config_id" ON "prompt_templates" USING btree ("base_config_id");--> statement-breakpoint
CREATE INDEX "tools_owner_id" ON "tools" USING btree ("owner_id");--> statement-breakpoint
CREATE INDEX "assistant_versions_created_at" ON "assistant_versions" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "imports_workspace_id" ON "imports" USING btree ("workspace_id");--> statement-breakpoint
CREATE INDEX "imports_user_id" ON "imports" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "messages_replies" ON "messages" USING btree ("chat_id","created_at") WHERE "messages"."model" is not null;--> statement-breakpoint
CREATE INDEX "phone_number_purchases_user_id" ON "phone_number_purchases" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "phone_number_purchases_reseller_id" ON "phone_number_purchases" USING btree ("reseller_id");--> statement-breakpoint
CREATE INDEX "phone_number_purchases_workspace_id" ON "phone_number_purchases" USING btree ("workspace_id");--> statement-breakpoint
CREATE INDEX "phone_numbers_user_id" ON "phone_numbers" USING btree ("user_id");