// SPDX-License-Identifier: MIT
#include "lib/analysis/jetsam/page.h"

#include "lib/analysis/jetsam/cell.h"
#include "lib/base/units.h"
#include "lib/model/jetsam_answer.h"

#include <inttypes.h>
#include <string.h>

/** State of building a page. */
struct builder {
	struct page *page;
	const struct jetsam *jetsam;
	const struct jetsam_answer *answer;
	struct arena *arena;
};

static struct table *new_table(struct builder *b,
                               const struct table_column *columns, size_t count)
{
	struct table *table = arena_alloc(b->arena, sizeof(*table));

	*table = (struct table){ .columns = columns, .column_count = count };
	return table;
}

// Numbers for people

/** With one decimal, rounded: enough to compare by. */
static const char *tenths(struct builder *b, struct jetsam_number number,
                          uint64_t unit)
{
	SCOPED(str_release) struct str text = { 0 };

	if (!number.known)
		return NULL;
	units_add_fixed(&text, number.value, unit, 1);
	return arena_text(b->arena, str_text(&text));
}

static const char *mib(struct builder *b, struct jetsam_number bytes)
{
	return tenths(b, bytes, UNITS_MIB);
}

/** A size for a table; in pages if the page size is unknown. */
static const char *size(struct builder *b, struct jetsam_number bytes,
                        struct jetsam_number pages)
{
	if (!b->answer->page_bytes_unsure)
		return mib(b, bytes);
	return pages.known ? arena_printf(b->arena, "%" PRIu64, pages.value)
	                   : NULL;
}

/** `3:05:12`, hours first: a column of lives reads like a clock. */
static const char *clock_time(struct builder *b, struct jetsam_number ms)
{
	uint64_t s = ms.value / 1000;

	if (!ms.known)
		return NULL;
	return arena_printf(b->arena, "%" PRIu64 ":%02" PRIu64 ":%02" PRIu64,
	                    s / 3600, s / 60 % 60, s % 60);
}

// Tables to read

enum {
	MEMORY_KIND,
	MEMORY_MIB,
	MEMORY_PERCENT,
	MEMORY_SHARE,
	MEMORY_COLUMNS,
};

static void add_memory(struct builder *b)
{
	static const struct table_column columns[MEMORY_COLUMNS] = {
		[MEMORY_KIND] = { "kind", "kind", TABLE_TEXT },
		[MEMORY_MIB] = { "mib", "MiB", TABLE_DECIMAL },
		[MEMORY_PERCENT] = { "percent", "%", TABLE_DECIMAL },
		[MEMORY_SHARE] = { "share", "", TABLE_BAR },
	};
	const struct jetsam_answer *answer = b->answer;
	struct table *table = new_table(b, columns, MEMORY_COLUMNS);
	uint64_t ratio = answer->compression_percent.value;
	const char *note = NULL;

	for (size_t i = 0; i < answer->row_count; i++) {
		const struct jetsam_memory_row *row = &answer->rows[i];
		const struct jetsam_number bytes = { row->bytes, true };
		struct table_cell *cells = table_add_row(table, b->arena);

		table_set_text(&cells[MEMORY_KIND],
		               arena_printf(b->arena, "%s%s",
		                            row->is_part ? "  of which " : "",
		                            row->name));
		table_set_text(&cells[MEMORY_MIB], mib(b, bytes));
		table_set_text(&cells[MEMORY_PERCENT],
		               tenths(b, row->permille, 10));
		table_set_bar(&cells[MEMORY_SHARE], row->bytes,
		              answer->physical_bytes.value);
	}
	if (answer->compression_percent.known)
		note = arena_printf(b->arena,
		                    "compression ratio %" PRIu64 ".%02" PRIu64,
		                    ratio / 100, ratio % 100);
	page_add_table(b->page, b->arena, "Memory", table, note);
}

enum {
	PROCESS_NAME,
	PROCESS_PID,
	PROCESS_FOOTPRINT,
	PROCESS_LIFETIME,
	PROCESS_AGE,
	PROCESS_CPU,
	PROCESS_FDS,
	PROCESS_BAND,
	PROCESS_STATES,
	PROCESS_REASON,
	PROCESS_SHARE,
	PROCESS_COLUMNS,
};

static void add_process(struct builder *b, const struct jetsam_usage *usage,
                        struct table *table)
{
	const struct jetsam_process *process = usage->process;
	struct table_cell *cells = table_add_row(table, b->arena);
	const struct jetsam_usage *largest = b->answer->largest;

	table_set_text(&cells[PROCESS_NAME], process->name);
	jetsam_set_number(&cells[PROCESS_PID], process->pid);
	table_set_text(&cells[PROCESS_FOOTPRINT],
	               size(b, usage->footprint_bytes, process->pages));
	table_set_text(&cells[PROCESS_LIFETIME],
	               size(b, usage->lifetime_bytes, process->lifetime_pages));
	table_set_text(&cells[PROCESS_AGE], clock_time(b, usage->age_ms));
	table_set_text(&cells[PROCESS_CPU],
	               tenths(b, process->cpu_time_us, 1000000));
	jetsam_set_number(&cells[PROCESS_FDS], process->fds);
	if (process->has_priority && !usage->band)
		table_set_text(&cells[PROCESS_BAND],
		               arena_printf(b->arena, "%d", process->priority));
	else
		table_set_text(&cells[PROCESS_BAND], usage->band);
	table_set_text(&cells[PROCESS_STATES], process->states_text);
	table_set_text(&cells[PROCESS_REASON], process->reason);
	if (largest)
		table_set_bar(&cells[PROCESS_SHARE],
		              usage->footprint_bytes.value,
		              largest->footprint_bytes.value);
}

static void add_processes(struct builder *b)
{
	static const struct table_column in_mib[PROCESS_COLUMNS] = {
		[PROCESS_NAME] = { "name", "process", TABLE_NAME },
		[PROCESS_PID] = { "pid", "pid", TABLE_NUMBER },
		[PROCESS_FOOTPRINT] = { "mib", "MiB", TABLE_DECIMAL },
		[PROCESS_LIFETIME] = { "lifetime_mib", "max MiB",
		                       TABLE_DECIMAL },
		[PROCESS_AGE] = { "age", "lived", TABLE_DECIMAL },
		[PROCESS_CPU] = { "cpu", "CPU s", TABLE_DECIMAL },
		[PROCESS_FDS] = { "fds", "fds", TABLE_NUMBER },
		[PROCESS_BAND] = { "band", "band", TABLE_PROSE },
		[PROCESS_STATES] = { "states", "states", TABLE_PROSE },
		[PROCESS_REASON] = { "reason", "killed", TABLE_TEXT },
		[PROCESS_SHARE] = { "share", "", TABLE_BAR },
	};
	static const char *const spare[] = { "fds", "cpu",  "age",
		                             "pid", "band", NULL };
	struct table_column *columns =
	        arena_array(b->arena, PROCESS_COLUMNS, sizeof(*columns));
	const struct jetsam_answer *answer = b->answer;
	struct table *table = new_table(b, columns, PROCESS_COLUMNS);

	memcpy(columns, in_mib, sizeof(in_mib));
	table->spare = spare;
	if (answer->page_bytes_unsure) {
		columns[PROCESS_FOOTPRINT] =
		        (struct table_column){ "pages", "pages",
			                       TABLE_DECIMAL };
		columns[PROCESS_LIFETIME] =
		        (struct table_column){ "lifetime_pages", "max pages",
			                       TABLE_DECIMAL };
	}
	for (size_t i = 0; i < answer->ranking_count; i++)
		add_process(b, answer->ranking[i], table);
	page_add_table(b->page, b->arena,
	               arena_printf(b->arena, "Processes, %zu of %zu, by %s",
	                            answer->ranking_count,
	                            b->jetsam->process_count,
	                            answer->ranking_order),
	               table, NULL);
}

/** Milliseconds with a decimal: kills follow each other fast. */
static const char *ms_text(struct builder *b, struct jetsam_number us)
{
	return tenths(b, us, 1000);
}

enum {
	KILL_ORDER,
	KILL_NAME,
	KILL_PID,
	KILL_SINCE,
	KILL_DELAY,
	KILL_REASON,
	KILL_COLUMNS,
};

/** The order of kills; nothing for a single one. */
static void add_kills(struct builder *b)
{
	static const struct table_column columns[KILL_COLUMNS] = {
		[KILL_ORDER] = { "order", "kill", TABLE_NUMBER },
		[KILL_NAME] = { "name", "process", TABLE_NAME },
		[KILL_PID] = { "pid", "pid", TABLE_NUMBER },
		[KILL_SINCE] = { "since", "ms since last", TABLE_DECIMAL },
		[KILL_DELAY] = { "delay", "ms since snapshot", TABLE_DECIMAL },
		[KILL_REASON] = { "reason", "reason", TABLE_TEXT },
	};
	const struct jetsam_answer *answer = b->answer;
	struct table *table = new_table(b, columns, KILL_COLUMNS);
	size_t shown = answer->victim_count;
	const char *note = NULL;

	if (shown < 2 || !answer->timed_kill_count)
		return;
	if (shown > answer->ranking_count) {
		shown = answer->ranking_count;
		note = arena_printf(b->arena,
		                    "%zu more: use --victims to list all",
		                    answer->victim_count - shown);
	}
	for (size_t i = 0; i < shown; i++) {
		const struct jetsam_usage *usage = answer->kills[i];
		struct table_cell *cells = table_add_row(table, b->arena);

		jetsam_set_number(&cells[KILL_ORDER], usage->kill_order);
		table_set_text(&cells[KILL_NAME], usage->process->name);
		jetsam_set_number(&cells[KILL_PID], usage->process->pid);
		table_set_text(&cells[KILL_SINCE],
		               ms_text(b, usage->since_kill_us));
		table_set_text(&cells[KILL_DELAY],
		               ms_text(b, usage->kill_delay_us));
		table_set_text(&cells[KILL_REASON], usage->process->reason);
	}
	page_add_table(b->page, b->arena, "Kills, in their order", table, note);
}

enum {
	COALITION_NAME,
	COALITION_ID,
	COALITION_PROCESSES,
	COALITION_FOOTPRINT,
	COALITION_COLUMNS,
};

static void add_coalitions(struct builder *b)
{
	static const struct table_column in_mib[COALITION_COLUMNS] = {
		[COALITION_NAME] = { "name", "with", TABLE_NAME },
		[COALITION_ID] = { "id", "coalition", TABLE_NUMBER },
		[COALITION_PROCESSES] = { "processes", "processes",
		                          TABLE_NUMBER },
		[COALITION_FOOTPRINT] = { "mib", "MiB", TABLE_DECIMAL },
	};
	static const struct table_column in_pages[COALITION_COLUMNS] = {
		[COALITION_NAME] = { "name", "with", TABLE_NAME },
		[COALITION_ID] = { "id", "coalition", TABLE_NUMBER },
		[COALITION_PROCESSES] = { "processes", "processes",
		                          TABLE_NUMBER },
		[COALITION_FOOTPRINT] = { "pages", "pages", TABLE_DECIMAL },
	};
	const struct jetsam_answer *answer = b->answer;
	struct table *table =
	        new_table(b, answer->page_bytes_unsure ? in_pages : in_mib,
	                  COALITION_COLUMNS);

	// At most as many as processes are shown.
	for (size_t i = 0;
	     i < answer->coalition_count && i < answer->ranking_count; i++) {
		const struct jetsam_coalition *sum = &answer->coalitions[i];
		const struct jetsam_number pages = { sum->pages, true };
		struct table_cell *cells = table_add_row(table, b->arena);

		table_set_text(&cells[COALITION_NAME], sum->name);
		table_set_number(&cells[COALITION_ID], sum->id);
		table_set_number(&cells[COALITION_PROCESSES],
		                 sum->process_count);
		table_set_text(&cells[COALITION_FOOTPRINT],
		               size(b, sum->bytes, pages));
	}
	page_add_table(b->page, b->arena, "Coalitions of several processes",
	               table, NULL);
}

// The list

enum {
	LISTED_NAME,
	LISTED_PID,
	LISTED_FOOTPRINT_BYTES,
	LISTED_LIFETIME_BYTES,
	LISTED_AGE_MS,
	LISTED_CPU_TIME_US,
	LISTED_FDS,
	LISTED_COALITION,
	LISTED_BAND,
	LISTED_STATES,
	LISTED_REASON,
	LISTED_KILL_ORDER,
	LISTED_KILL_DELAY_US,
	LISTED_SINCE_KILL_US,
	LISTED_COLUMNS,
};

/** The processes of the ranking, as exact as they are known. */
static const struct table *list_processes(struct builder *b)
{
	static const struct table_column columns[LISTED_COLUMNS] = {
		[LISTED_NAME] = { "name", "process", TABLE_TEXT },
		[LISTED_PID] = { "pid", "pid", TABLE_NUMBER },
		[LISTED_FOOTPRINT_BYTES] = { "footprint_bytes", "footprint",
		                             TABLE_NUMBER },
		[LISTED_LIFETIME_BYTES] = { "lifetime_bytes", "maximum",
		                            TABLE_NUMBER },
		[LISTED_AGE_MS] = { "age_ms", "age ms", TABLE_NUMBER },
		[LISTED_CPU_TIME_US] = { "cpu_time_us", "CPU us",
		                         TABLE_NUMBER },
		[LISTED_FDS] = { "fds", "fds", TABLE_NUMBER },
		[LISTED_COALITION] = { "coalition", "coalition", TABLE_NUMBER },
		[LISTED_BAND] = { "band", "band", TABLE_TEXT },
		[LISTED_STATES] = { "states", "states", TABLE_TEXT },
		[LISTED_REASON] = { "reason", "killed", TABLE_TEXT },
		[LISTED_KILL_ORDER] = { "kill_order", "kill", TABLE_NUMBER },
		[LISTED_KILL_DELAY_US] = { "kill_delay_us", "killed after us",
		                           TABLE_NUMBER },
		[LISTED_SINCE_KILL_US] = { "since_kill_us", "us since last",
		                           TABLE_NUMBER },
	};
	const struct jetsam_answer *answer = b->answer;
	struct table *table = new_table(b, columns, LISTED_COLUMNS);

	table->name = "jetsam-processes";
	for (size_t i = 0; i < answer->ranking_count; i++) {
		const struct jetsam_usage *usage = answer->ranking[i];
		const struct jetsam_process *process = usage->process;
		struct table_cell *cells = table_add_row(table, b->arena);

		table_set_text(&cells[LISTED_NAME], process->name);
		jetsam_set_number(&cells[LISTED_PID], process->pid);
		jetsam_set_number(&cells[LISTED_FOOTPRINT_BYTES],
		                  usage->footprint_bytes);
		jetsam_set_number(&cells[LISTED_LIFETIME_BYTES],
		                  usage->lifetime_bytes);
		jetsam_set_number(&cells[LISTED_AGE_MS], usage->age_ms);
		jetsam_set_number(&cells[LISTED_CPU_TIME_US],
		                  process->cpu_time_us);
		jetsam_set_number(&cells[LISTED_FDS], process->fds);
		jetsam_set_number(&cells[LISTED_COALITION], process->coalition);
		table_set_text(&cells[LISTED_BAND], usage->band);
		table_set_text(&cells[LISTED_STATES], process->states_text);
		table_set_text(&cells[LISTED_REASON], process->reason);
		jetsam_set_number(&cells[LISTED_KILL_ORDER], usage->kill_order);
		jetsam_set_number(&cells[LISTED_KILL_DELAY_US],
		                  usage->kill_delay_us);
		jetsam_set_number(&cells[LISTED_SINCE_KILL_US],
		                  usage->since_kill_us);
	}
	return table;
}

static void add_facts(struct builder *b, const struct report *report)
{
	page_add_fact(b->page, b->arena, "model", NULL, b->answer->model);
	page_add_fact(b->page, b->arena, "device", NULL,
	              report->hardware_model);
	page_add_fact(b->page, b->arena, "os_version", NULL,
	              report->os_version);
	page_add_fact(b->page, b->arena, "date_time", NULL, report->date_time);
	page_add_fact(b->page, b->arena, "incident", NULL, report->incident);
}

struct page *jetsam_page(const struct report *report, bool for_people,
                         struct arena *arena)
{
	const struct jetsam_answer *answer = report->jetsam_answer;
	struct builder b = { .page = page_new(arena, "jetsam"),
		             .jetsam = report->jetsam,
		             .answer = answer,
		             .arena = arena };

	b.page->report = report;
	for (size_t i = 0; i < answer->verdict_count; i++)
		page_add_verdict(b.page, arena, answer->verdict[i]);
	add_facts(&b, report);
	if (for_people) {
		add_memory(&b);
		add_processes(&b);
		add_kills(&b);
		add_coalitions(&b);
	} else {
		b.page->list = list_processes(&b);
	}
	return b.page;
}
