ALTER TABLE "assistants" ADD COLUMN "kept" jsonb;--> statement-breakpoint
UPDATE "assistant_versions" v SET "configuration" = v."configuration" || jsonb_build_object('kept', null, 'sources', jsonb_strip_nulls(jsonb_build_object(
	'template', (SELECT jsonb_build_object('name', t."name", 'prompt', t."prompt", 'firstMessage', t."first_message", 'endCallMessage', t."end_call_message", 'baseConfigId', t."base_config_id") FROM "prompt_templates" t WHERE t."id" = (v."configuration"->>'template_id')::int),
	'personality', (SELECT jsonb_build_object('name', p."name", 'prompt', p."prompt", 'voice', p."voice") FROM "personalities" p WHERE p."id" = (v."configuration"->>'personality_id')::int),
	'industry', (SELECT jsonb_build_object('name', i."name", 'prompt', i."prompt", 'baseConfigId', i."base_config_id", 'customFields', i."custom_fields") FROM "industry_templates" i WHERE i."id" = (v."configuration"->>'industry_template_id')::int),
	'preset', (SELECT jsonb_build_object('name', l."name", 'overrides', l."overrides") FROM "layer2_presets" l WHERE l."key" = v."configuration"->>'layer2_key'),
	'baseConfig', (SELECT jsonb_build_object('id', b."id", 'name', b."name", 'config', b."config") FROM "base_configs" b WHERE b."id" = coalesce(
		(v."configuration"->>'base_config_id')::int,
		(SELECT t."base_config_id" FROM "prompt_templates" t WHERE t."id" = (v."configuration"->>'template_id')::int)))
)))
WHERE v."configuration" IS NOT NULL AND ((v."configuration"->>'template_id') IS NULL OR EXISTS (SELECT 1 FROM "prompt_templates" t WHERE t."id" = (v."configuration"->>'template_id')::int));
