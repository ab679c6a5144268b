// SPDX-License-Identifier: MIT
#include "lib/analysis/session/survey.h"

#include "lib/analysis/jetsam/jetsam.h"
#include "lib/analysis/session/crash_reports.h"

/** Max keys to name; a recorder has a few dozen. */
#define UNKNOWN_KEYS_MAX 64

enum {
	COLUMN_FILE,
	COLUMN_RECORD,
	COLUMN_VERDICT,
	COLUMN_REASON,
	COLUMN_LIKELY,
	COLUMN_EVIDENCE,
	COLUMN_STALLED,
	COLUMN_COUNT
};

static const struct table_column columns[COLUMN_COUNT] = {
	[COLUMN_FILE] = { "file", "file", TABLE_PATH },
	[COLUMN_RECORD] = { "record", "record", TABLE_NUMBER },
	[COLUMN_VERDICT] = { "verdict", "verdict", TABLE_TEXT },
	[COLUMN_REASON] = { "reason", NULL, TABLE_TEXT },
	[COLUMN_LIKELY] = { "likely", NULL, TABLE_BOOL },
	[COLUMN_EVIDENCE] = { "evidence", "evidence", TABLE_PROSE },
	[COLUMN_STALLED] = { "stalled_to_death", NULL, TABLE_TEXT },
};

static const char *const spare[] = { "evidence", NULL };

/** The records of a file. */
struct exit_records {
	const char *path;
	struct session_file file;
};

void exit_survey_release(struct exit_survey *survey)
{
	arena_release(&survey->arena);
	exit_kills_release(&survey->kills);
	exit_index_release(&survey->lags);
	exit_index_release(&survey->reports);
	intern_release(&survey->unknown_keys);
}

bool exit_survey_takes(const struct report *report)
{
	return report->jetsam || exit_lags_take(report) ||
	       exit_reports_take(report);
}

static void add_log(struct exit_survey *survey, const char *path,
                    struct report *report, struct arena *arena)
{
	static const struct jetsam_view view = { .top = 1 };

	if (report->member)
		path = arena_printf(arena, "%s: %s", path, report->member);
	if (report->jetsam) {
		jetsam_analyse(report, arena, &view);
		exit_kills_add(&survey->kills, report, path);
		return;
	}
	if (exit_reports_take(report))
		exit_reports_add(&survey->reports, report, survey->functions,
		                 path, arena);
	if (exit_lags_take(report))
		exit_lags_add(&survey->lags, report, path);
}

void exit_survey_add_logs(struct exit_survey *survey, const char *path,
                          struct report *reports, struct arena *arena)
{
	bool is_log = false;

	for (struct report *r = reports; r; r = r->next) {
		if (!exit_survey_takes(r))
			continue;
		add_log(survey, path, r, arena);
		is_log = true;
	}
	survey->log_count += is_log;
}

void exit_survey_add_records(struct exit_survey *survey, const char *path,
                             const struct session_file *file)
{
	struct arena *arena = &survey->arena;

	ARENA_GROW(arena, survey->records, survey->count, survey->cap);
	survey->records[survey->count++] = (struct exit_records){
		.path = arena_strdup(arena, path),
		.file = *file,
	};
	survey->damaged_count += file->lost > 0;
}

/** Notes, as they are gathered. */
struct notes {
	struct arena *arena;
	struct notice *items;
	size_t count;
	size_t cap;
};

static void add_note(struct notes *notes, const char *place, const char *text)
{
	ARENA_GROW(notes->arena, notes->items, notes->count, notes->cap);
	notes->items[notes->count++] =
	        (struct notice){ .place = place, .text = text };
}

/** A recorder always writes the same keys: name each once. */
static void add_unknown_keys(struct exit_survey *survey, struct notes *notes,
                             const char *place, const struct session *session)
{
	struct intern *known = &survey->unknown_keys;

	for (size_t i = 0; i < session->unknown_count; i++) {
		const char *key = session->unknown_keys[i];

		if (known->count >= UNKNOWN_KEYS_MAX ||
		    !intern_add_new(known, text_from(key)))
			continue;
		add_note(notes, place,
		         arena_printf(notes->arena, "unknown key '%s' ignored",
		                      key));
	}
}

static void add_session_notes(struct exit_survey *survey, struct notes *notes,
                              const char *path, const struct session *session)
{
	const char *place = arena_printf(notes->arena, "%s: record %zu", path,
	                                 session->index + 1);

	for (size_t i = 0; i < session->note_count; i++)
		add_note(notes, place, session->notes[i]);
	add_unknown_keys(survey, notes, place, session);
}

const struct notice *exit_survey_notes(struct exit_survey *survey,
                                       bool lost_only, size_t *ret_count)
{
	struct notes notes = { .arena = &survey->arena };

	for (size_t i = 0; i < survey->count; i++) {
		const char *path = survey->records[i].path;
		const struct session_file *file = &survey->records[i].file;

		if (lost_only && !file->lost)
			continue;
		for (size_t k = 0; k < file->note_count; k++)
			add_note(&notes, path, file->notes[k]);
		for (const struct session *s = file->first; s && !lost_only;
		     s = s->next)
			add_session_notes(survey, &notes, path, s);
	}
	*ret_count = notes.count;
	return notes.items;
}

static void add_row(struct exit_survey *survey, const char *path,
                    const struct session *session, bool is_only,
                    struct table *table)
{
	struct arena *arena = &survey->arena;
	struct table_cell *row = table_add_row(table, arena);
	struct exit_answer answer;
	const char *name;

	exit_reason_of_session(session, arena, &answer);
	exit_reason_use_reports(session, &survey->reports, arena, &answer);
	exit_reason_use_logs(session, &survey->kills, arena, &answer);
	exit_reason_mark_lag(session, &survey->lags, is_only, arena, &answer);
	name = exit_reason_name(answer.reason);
	table_set_text(&row[COLUMN_FILE], path);
	table_set_number(&row[COLUMN_RECORD], session->index + 1);
	table_set_text(&row[COLUMN_VERDICT],
	               answer.likely ? arena_printf(arena, "likely %s", name)
	                             : name);
	table_set_text(&row[COLUMN_REASON], name);
	table_set_number(&row[COLUMN_LIKELY], answer.likely);
	table_set_text(&row[COLUMN_EVIDENCE], answer.evidence);
	table_set_text(&row[COLUMN_STALLED], answer.stalled_to_death);
}

const struct table *exit_survey_table(struct exit_survey *survey)
{
	struct table *table = arena_alloc(&survey->arena, sizeof(*table));

	table->name = "exit-reasons";
	table->columns = columns;
	table->column_count = COLUMN_COUNT;
	table->spare = spare;
	for (size_t i = 0; i < survey->count; i++) {
		const struct session *first = survey->records[i].file.first;
		bool is_only = survey->count == 1 && !first->next;

		for (const struct session *s = first; s; s = s->next)
			add_row(survey, survey->records[i].path, s, is_only,
			        table);
	}
	return table;
}
