#include "lib/analysis/jetsam/page.h"

#include "lib/base/units.h"
#include "lib/model/jetsam_answer.h"

#include <inttypes.h>
#include <string.h>

/** A page that is being built. */
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

/** A size for a table; in pages where these have no known size. */
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

static void set_number(struct table_cell *cell, struct jetsam_number number)
{
	if (number.known)
		table_set_number(cell, number.value);
}

static void add_memory(struct builder *b)
{
	static const struct table_column columns[] = {
		{ "kind", "kind", TABLE_TEXT },
		{ "mib", "MiB", TABLE_DECIMAL },
		{ "percent", "%", TABLE_DECIMAL },
		{ "share", "", TABLE_BAR },
	};
	const struct jetsam_answer *answer = b->answer;
	struct table *table = new_table(b, columns, ARRAY_SIZE(columns));
	uint64_t ratio = answer->compression_percent.value;
	const char *note = NULL;

	for (size_t i = 0; i < answer->row_count; i++) {
		const struct jetsam_memory_row *row = &answer->rows[i];
		const struct jetsam_number bytes = { row->bytes, true };
		struct table_cell *cells = table_add_row(table, b->arena);

		table_set_text(&cells[0],
		               arena_printf(b->arena, "%s%s",
		                            row->is_part ? "  of which " : "",
		                            row->name));
		table_set_text(&cells[1], mib(b, bytes));
		table_set_text(&cells[2], tenths(b, row->permille, 10));
		table_set_bar(&cells[3], row->bytes,
		              answer->physical_bytes.value);
	}
	if (answer->compression_percent.known)
		note = arena_printf(b->arena,
		                    "compression ratio %" PRIu64 ".%02" PRIu64,
		                    ratio / 100, ratio % 100);
	page_add_table(b->page, b->arena, "Memory", table, note);
}

static void add_process(struct builder *b, const struct jetsam_usage *usage,
                        struct table *table)
{
	const struct jetsam_process *process = usage->process;
	struct table_cell *cells = table_add_row(table, b->arena);
	const struct jetsam_usage *largest = b->answer->largest;

	table_set_text(&cells[0], process->name);
	set_number(&cells[1], process->pid);
	table_set_text(&cells[2],
	               size(b, usage->footprint_bytes, process->pages));
	table_set_text(&cells[3],
	               size(b, usage->lifetime_bytes, process->lifetime_pages));
	table_set_text(&cells[4], clock_time(b, usage->age_ms));
	table_set_text(&cells[5], tenths(b, process->cpu_time_us, 1000000));
	set_number(&cells[6], process->fds);
	if (process->has_priority && !usage->band)
		table_set_text(&cells[7],
		               arena_printf(b->arena, "%d", process->priority));
	else
		table_set_text(&cells[7], usage->band);
	table_set_text(&cells[8], process->states_text);
	table_set_text(&cells[9], process->reason);
	if (largest)
		table_set_bar(&cells[10], usage->footprint_bytes.value,
		              largest->footprint_bytes.value);
}

static void add_processes(struct builder *b)
{
	static const struct table_column in_mib[] = {
		{ "name", "process", TABLE_NAME },
		{ "pid", "pid", TABLE_NUMBER },
		{ "mib", "MiB", TABLE_DECIMAL },
		{ "lifetime_mib", "max MiB", TABLE_DECIMAL },
		{ "age", "lived", TABLE_DECIMAL },
		{ "cpu", "CPU s", TABLE_DECIMAL },
		{ "fds", "fds", TABLE_NUMBER },
		{ "band", "band", TABLE_PROSE },
		{ "states", "states", TABLE_PROSE },
		{ "reason", "killed", TABLE_TEXT },
		{ "share", "", TABLE_BAR },
	};
	static const char *const spare[] = { "fds", "cpu",  "age",
		                             "pid", "band", NULL };
	size_t count = ARRAY_SIZE(in_mib);
	struct table_column *columns =
	        arena_array(b->arena, count, sizeof(*columns));
	const struct jetsam_answer *answer = b->answer;
	struct table *table = new_table(b, columns, count);

	memcpy(columns, in_mib, sizeof(in_mib));
	table->spare = spare;
	if (answer->page_bytes_unsure) {
		columns[2] = (struct table_column){ "pages", "pages",
			                            TABLE_DECIMAL };
		columns[3] = (struct table_column){ "lifetime_pages",
			                            "max pages",
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

/** In which order; of one kill there is none. */
static void add_kills(struct builder *b)
{
	static const struct table_column columns[] = {
		{ "order", "kill", TABLE_NUMBER },
		{ "name", "process", TABLE_NAME },
		{ "pid", "pid", TABLE_NUMBER },
		{ "since", "ms since last", TABLE_DECIMAL },
		{ "delay", "ms since snapshot", TABLE_DECIMAL },
		{ "reason", "reason", TABLE_TEXT },
	};
	const struct jetsam_answer *answer = b->answer;
	struct table *table = new_table(b, columns, ARRAY_SIZE(columns));
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

		set_number(&cells[0], usage->kill_order);
		table_set_text(&cells[1], usage->process->name);
		set_number(&cells[2], usage->process->pid);
		table_set_text(&cells[3], ms_text(b, usage->since_kill_us));
		table_set_text(&cells[4], ms_text(b, usage->kill_delay_us));
		table_set_text(&cells[5], usage->process->reason);
	}
	page_add_table(b->page, b->arena, "Kills, in their order", table, note);
}

static void add_coalitions(struct builder *b)
{
	static const struct table_column in_mib[] = {
		{ "name", "with", TABLE_NAME },
		{ "id", "coalition", TABLE_NUMBER },
		{ "processes", "processes", TABLE_NUMBER },
		{ "mib", "MiB", TABLE_DECIMAL },
	};
	static const struct table_column in_pages[] = {
		{ "name", "with", TABLE_NAME },
		{ "id", "coalition", TABLE_NUMBER },
		{ "processes", "processes", TABLE_NUMBER },
		{ "pages", "pages", TABLE_DECIMAL },
	};
	const struct jetsam_answer *answer = b->answer;
	struct table *table =
	        new_table(b, answer->page_bytes_unsure ? in_pages : in_mib,
	                  ARRAY_SIZE(in_mib));

	// As many as there are processes: helpers of what is shown.
	for (size_t i = 0;
	     i < answer->coalition_count && i < answer->ranking_count; i++) {
		const struct jetsam_coalition *sum = &answer->coalitions[i];
		const struct jetsam_number pages = { sum->pages, true };
		struct table_cell *cells = table_add_row(table, b->arena);

		table_set_text(&cells[0], sum->name);
		table_set_number(&cells[1], sum->id);
		table_set_number(&cells[2], sum->process_count);
		table_set_text(&cells[3], size(b, sum->bytes, pages));
	}
	page_add_table(b->page, b->arena, "Coalitions of several processes",
	               table, NULL);
}

// The list

/** The processes of the ranking, as exact as they are known. */
static const struct table *list_processes(struct builder *b)
{
	static const struct table_column columns[] = {
		{ "name", "process", TABLE_TEXT },
		{ "pid", "pid", TABLE_NUMBER },
		{ "footprint_bytes", "footprint", TABLE_NUMBER },
		{ "lifetime_bytes", "maximum", TABLE_NUMBER },
		{ "age_ms", "age ms", TABLE_NUMBER },
		{ "cpu_time_us", "CPU us", TABLE_NUMBER },
		{ "fds", "fds", TABLE_NUMBER },
		{ "coalition", "coalition", TABLE_NUMBER },
		{ "band", "band", TABLE_TEXT },
		{ "states", "states", TABLE_TEXT },
		{ "reason", "killed", TABLE_TEXT },
		{ "kill_order", "kill", TABLE_NUMBER },
		{ "kill_delay_us", "killed after us", TABLE_NUMBER },
		{ "since_kill_us", "us since last", TABLE_NUMBER },
	};
	const struct jetsam_answer *answer = b->answer;
	struct table *table = new_table(b, columns, ARRAY_SIZE(columns));

	table->name = "jetsam-processes";
	for (size_t i = 0; i < answer->ranking_count; i++) {
		const struct jetsam_usage *usage = answer->ranking[i];
		const struct jetsam_process *process = usage->process;
		struct table_cell *cells = table_add_row(table, b->arena);

		table_set_text(&cells[0], process->name);
		set_number(&cells[1], process->pid);
		set_number(&cells[2], usage->footprint_bytes);
		set_number(&cells[3], usage->lifetime_bytes);
		set_number(&cells[4], usage->age_ms);
		set_number(&cells[5], process->cpu_time_us);
		set_number(&cells[6], process->fds);
		set_number(&cells[7], process->coalition);
		table_set_text(&cells[8], usage->band);
		table_set_text(&cells[9], process->states_text);
		table_set_text(&cells[10], process->reason);
		set_number(&cells[11], usage->kill_order);
		set_number(&cells[12], usage->kill_delay_us);
		set_number(&cells[13], usage->since_kill_us);
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
