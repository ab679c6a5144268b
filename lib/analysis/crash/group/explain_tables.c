/*
 * Tables that say how signatures came about: frame by frame, rule by rule.
 */
#include "lib/analysis/crash/group/groups.h"

#include <inttypes.h>

static const struct table_column frame_columns[] = {
	{ "report", "report", TABLE_PATH }, { "frame", "frame", TABLE_NUMBER },
	{ "kept", "kept", TABLE_BOOL },     { "reason", "reason", TABLE_TEXT },
	{ "rule", "rule", TABLE_PATH },     { "name", "name", TABLE_NAME },
	{ "image", "image", TABLE_NAME },   { "file", "file", TABLE_PATH },
	{ "line", "line", TABLE_NUMBER },   { "in_app", NULL, TABLE_BOOL },
	{ "signature", NULL, TABLE_TEXT },  { "raw_hash", NULL, TABLE_TEXT },
};

static const char *const spare_frame_columns[] = { "line", "file", "image",
	                                           NULL };

struct table *crash_frames_table(struct arena *arena)
{
	struct table *table = arena_alloc(arena, sizeof(*table));

	*table = (struct table){
		.name = "crash-frames",
		.columns = frame_columns,
		.column_count = ARRAY_SIZE(frame_columns),
		.spare = spare_frame_columns,
	};
	return table;
}

static const char *rule_text(const struct lag_rule *rule, struct arena *arena)
{
	return rule ? config_source_text(&rule->source, arena) : NULL;
}

void crash_frames_add(struct table *table, const struct report *report,
                      const struct signature *signature, struct arena *arena)
{
	SCOPED(str_release) struct str text = { 0 };
	const char *input = arena_strdup(arena, report->input);
	const char *whole;
	const char *raw = NULL;

	signature_add_text(signature, signature->core_count, &text);
	whole = arena_text(arena, str_text(&text));
	if (signature->has_raw_hash)
		raw = arena_printf(arena, "%016" PRIx64, signature->raw_hash);
	for (size_t i = 0; i < signature->frame_count; i++) {
		const struct signature_frame *frame = &signature->frames[i];
		struct table_cell *cells = table_add_row(table, arena);

		table_set_text(&cells[0], input);
		table_set_number(&cells[1], i);
		table_set_number(&cells[2], frame->is_kept);
		table_set_text(&cells[3], frame->why);
		table_set_text(&cells[4], rule_text(frame->rule, arena));
		table_set_text(&cells[5], arena_strdup(arena, frame->name));
		table_set_text(&cells[6], arena_strdup(arena, frame->image));
		table_set_text(&cells[7], arena_strdup(arena, frame->path));
		if (frame->line)
			table_set_number(&cells[8], frame->line);
		table_set_number(&cells[9], frame->is_app);
		table_set_text(&cells[10], whole);
		table_set_text(&cells[11], raw);
	}
}

static const struct table_column rule_columns[] = {
	{ "rule", "rule", TABLE_PATH },
	{ "action", "action", TABLE_TEXT },
	{ "matched", "matched", TABLE_NUMBER },
	{ "decided", "decided", TABLE_NUMBER },
	{ "status", "status", TABLE_TEXT },
	{ "image", NULL, TABLE_TEXT },
	{ "path", NULL, TABLE_TEXT },
	{ "pattern", "pattern", TABLE_NAME },
};

/** `never matches`, `an earlier rule decides`, `too costly` */
static const char *rule_status(const struct signer_count *count)
{
	if (count->undecided)
		return "too costly";
	if (!count->matched)
		return "never matches";
	return count->decided ? "used" : "an earlier rule decides";
}

static const char *pattern_text(const struct lag_rule *rule)
{
	return rule->symbol.text  ? rule->symbol.text
	       : rule->image.text ? rule->image.text
	                          : rule->path.text;
}

const struct table *crash_rules_table(const struct signer *signer,
                                      struct arena *arena)
{
	static const struct signer_count none;
	struct table *table = arena_alloc(arena, sizeof(*table));

	*table = (struct table){
		.name = "crash-rules",
		.columns = rule_columns,
		.column_count = ARRAY_SIZE(rule_columns),
	};
	for (size_t i = 0; i < signer->rules->count; i++) {
		const struct lag_rule *rule = &signer->rules->rules[i];
		const struct signer_count *count =
		        signer->counts ? &signer->counts[i] : &none;
		struct table_cell *cells = table_add_row(table, arena);

		table_set_text(&cells[0], rule_text(rule, arena));
		table_set_text(&cells[1], lag_rule_action_name(
		                                  &lag_rules_of_crashes, rule));
		table_set_number(&cells[2], count->matched);
		table_set_number(&cells[3], count->decided);
		table_set_text(&cells[4], rule_status(count));
		table_set_text(&cells[5], rule->image.text);
		table_set_text(&cells[6], rule->path.text);
		table_set_text(&cells[7], pattern_text(rule));
	}
	return table;
}
