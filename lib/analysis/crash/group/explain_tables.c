// SPDX-License-Identifier: MIT
/* Tables that explain signatures, by frame and by rule. */
#include "lib/analysis/crash/group/groups.h"

#include <inttypes.h>

enum {
	FRAME_REPORT,
	FRAME_NUMBER,
	FRAME_KEPT,
	FRAME_REASON,
	FRAME_RULE,
	FRAME_NAME,
	FRAME_IMAGE,
	FRAME_FILE,
	FRAME_LINE,
	FRAME_IN_APP,
	FRAME_SIGNATURE,
	FRAME_RAW_HASH,
	FRAME_COLUMNS,
};

static const struct table_column frame_columns[FRAME_COLUMNS] = {
	[FRAME_REPORT] = { "report", "report", TABLE_PATH },
	[FRAME_NUMBER] = { "frame", "frame", TABLE_NUMBER },
	[FRAME_KEPT] = { "kept", "kept", TABLE_BOOL },
	[FRAME_REASON] = { "reason", "reason", TABLE_TEXT },
	[FRAME_RULE] = { "rule", "rule", TABLE_PATH },
	[FRAME_NAME] = { "name", "name", TABLE_NAME },
	[FRAME_IMAGE] = { "image", "image", TABLE_NAME },
	[FRAME_FILE] = { "file", "file", TABLE_PATH },
	[FRAME_LINE] = { "line", "line", TABLE_NUMBER },
	[FRAME_IN_APP] = { "in_app", NULL, TABLE_BOOL },
	[FRAME_SIGNATURE] = { "signature", NULL, TABLE_TEXT },
	[FRAME_RAW_HASH] = { "raw_hash", NULL, TABLE_TEXT },
};

static const char *const spare_frame_columns[] = { "line", "file", "image",
	                                           NULL };

struct table *crash_frames_table(struct arena *arena)
{
	struct table *table = arena_alloc(arena, sizeof(*table));

	*table = (struct table){
		.name = "crash-frames",
		.columns = frame_columns,
		.column_count = FRAME_COLUMNS,
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

		table_set_text(&cells[FRAME_REPORT], input);
		table_set_number(&cells[FRAME_NUMBER], i);
		table_set_number(&cells[FRAME_KEPT], frame->is_kept);
		table_set_text(&cells[FRAME_REASON], frame->why);
		table_set_text(&cells[FRAME_RULE],
		               rule_text(frame->rule, arena));
		table_set_text(&cells[FRAME_NAME],
		               arena_strdup(arena, frame->name));
		table_set_text(&cells[FRAME_IMAGE],
		               arena_strdup(arena, frame->image));
		table_set_text(&cells[FRAME_FILE],
		               arena_strdup(arena, frame->path));
		if (frame->line)
			table_set_number(&cells[FRAME_LINE], frame->line);
		table_set_number(&cells[FRAME_IN_APP], frame->is_app);
		table_set_text(&cells[FRAME_SIGNATURE], whole);
		table_set_text(&cells[FRAME_RAW_HASH], raw);
	}
}

enum {
	RULE_SOURCE,
	RULE_ACTION,
	RULE_MATCHED,
	RULE_DECIDED,
	RULE_STATUS,
	RULE_IMAGE,
	RULE_PATH,
	RULE_PATTERN,
	RULE_COLUMNS,
};

static const struct table_column rule_columns[RULE_COLUMNS] = {
	[RULE_SOURCE] = { "rule", "rule", TABLE_PATH },
	[RULE_ACTION] = { "action", "action", TABLE_TEXT },
	[RULE_MATCHED] = { "matched", "matched", TABLE_NUMBER },
	[RULE_DECIDED] = { "decided", "decided", TABLE_NUMBER },
	[RULE_STATUS] = { "status", "status", TABLE_TEXT },
	[RULE_IMAGE] = { "image", NULL, TABLE_TEXT },
	[RULE_PATH] = { "path", NULL, TABLE_TEXT },
	[RULE_PATTERN] = { "pattern", "pattern", TABLE_NAME },
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
		.column_count = RULE_COLUMNS,
	};
	for (size_t i = 0; i < signer->functions.rules->count; i++) {
		const struct lag_rule *rule =
		        &signer->functions.rules->rules[i];
		const struct signer_count *count =
		        signer->counts ? &signer->counts[i] : &none;
		struct table_cell *cells = table_add_row(table, arena);

		table_set_text(&cells[RULE_SOURCE], rule_text(rule, arena));
		table_set_text(
		        &cells[RULE_ACTION],
		        lag_rule_action_name(&lag_rules_of_crashes, rule));
		table_set_number(&cells[RULE_MATCHED], count->matched);
		table_set_number(&cells[RULE_DECIDED], count->decided);
		table_set_text(&cells[RULE_STATUS], rule_status(count));
		table_set_text(&cells[RULE_IMAGE], rule->image.text);
		table_set_text(&cells[RULE_PATH], rule->path.text);
		table_set_text(&cells[RULE_PATTERN], pattern_text(rule));
	}
	return table;
}
