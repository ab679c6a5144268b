#include "formatters/page/jetsam.h"

#include "formatters/table/formats.h"
#include "lib/model/jetsam.h"

#include <inttypes.h>

#define BAR_WIDTH 24
#define BOLD      "\x1b[1m"
#define PLAIN     "\x1b[0m"

/** A page that is being written; its tables live in the arena. */
struct page {
	const struct jetsam *jetsam;
	const struct format_options *options;
	struct arena arena;
	struct out *out;
};

/** Tenths of a MiB, rounded: enough to compare by. */
static const char *mib(struct page *page, struct jetsam_number bytes)
{
	uint64_t tenths;

	if (!bytes.known)
		return NULL;
	tenths = ((bytes.value >> 10) * 10 + 512) / 1024;
	return arena_printf(&page->arena, "%" PRIu64 ".%" PRIu64, tenths / 10,
	                    tenths % 10);
}

/** A size for the table; in pages where these have no known size. */
static const char *size(struct page *page, struct jetsam_number bytes,
                        struct jetsam_number pages)
{
	if (!page->jetsam->page_bytes_unsure)
		return mib(page, bytes);
	return pages.known ? arena_printf(&page->arena, "%" PRIu64, pages.value)
	                   : NULL;
}

static const char *seconds(struct page *page, struct jetsam_number us)
{
	if (!us.known)
		return NULL;
	return arena_printf(&page->arena, "%" PRIu64 ".%" PRIu64,
	                    us.value / 1000000, us.value / 100000 % 10);
}

/** `3:05:12`, hours first: a column of lives reads like a clock. */
static const char *clock_time(struct page *page, struct jetsam_number ms)
{
	uint64_t s = ms.value / 1000;

	if (!ms.known)
		return NULL;
	return arena_printf(&page->arena,
	                    "%" PRIu64 ":%02" PRIu64 ":%02" PRIu64, s / 3600,
	                    s / 60 % 60, s % 60);
}

static const char *percent(struct page *page, struct jetsam_number permille)
{
	if (!permille.known)
		return NULL;
	return arena_printf(&page->arena, "%" PRIu64 ".%" PRIu64,
	                    permille.value / 10, permille.value % 10);
}

/** @p part of @p whole as a bar; NULL where bars are not drawn. */
static const char *bar(struct page *page, uint64_t part, uint64_t whole)
{
	SCOPED(str_release) struct str line = { 0 };
	size_t width;

	if (!page->options->terminal || !whole)
		return NULL;
	// Bytes have 63 bits at most: a KiB is the unit.
	width = (size_t)((part >> 10) * BAR_WIDTH / ((whole >> 10) + 1));
	for (size_t i = 0; i <= width && i < BAR_WIDTH && part; i++)
		str_add(&line, "\u2588");
	return arena_text(&page->arena, str_text(&line));
}

static void add_heading(struct page *page, const char *title)
{
	bool bold = page->options->color;

	out_addf(page->out, "\n%s%s%s\n", bold ? BOLD : "", title,
	         bold ? PLAIN : "");
}

static void add_device(struct page *page, const struct report *report)
{
	const struct jetsam *jetsam = page->jetsam;
	const char *const facts[] = { jetsam->model, report->hardware_model,
		                      report->os_version, report->date_time,
		                      report->incident };
	const char *separator = "\n";

	for (size_t i = 0; i < ARRAY_SIZE(facts); i++) {
		if (!facts[i])
			continue;
		out_add(page->out, separator);
		out_add_visible(page->out, facts[i]);
		separator = ", ";
	}
	if (*separator == ',')
		out_add(page->out, "\n");
}

static void add_verdict(struct page *page)
{
	const struct jetsam *jetsam = page->jetsam;

	for (size_t i = 0; i < jetsam->verdict_count; i++) {
		bool bold = page->options->color && !i;

		out_add(page->out, bold ? BOLD : "");
		out_add_visible(page->out, jetsam->verdict[i]);
		out_add(page->out, bold ? PLAIN "\n" : "\n");
	}
}

// Memory

static void add_memory(struct page *page)
{
	static const struct table_column columns[] = {
		{ "kind", "kind", TABLE_TEXT },
		{ "mib", "MiB", TABLE_DECIMAL },
		{ "percent", "%", TABLE_DECIMAL },
		{ "bar", "", TABLE_TEXT },
	};
	const struct jetsam *jetsam = page->jetsam;
	struct table table = {
		.columns = columns,
		.column_count = ARRAY_SIZE(columns) - !page->options->terminal,
	};

	if (!jetsam->row_count)
		return;
	add_heading(page, "Memory");
	for (size_t i = 0; i < jetsam->row_count; i++) {
		const struct jetsam_memory_row *row = &jetsam->rows[i];
		struct table_cell *cells = table_add_row(&table, &page->arena);

		table_set_text(&cells[0],
		               arena_printf(&page->arena, "%s%s",
		                            row->is_part ? "  of it " : "",
		                            row->name));
		table_set_text(
		        &cells[1],
		        mib(page, (struct jetsam_number){ row->bytes, true }));
		table_set_text(&cells[2], percent(page, row->permille));
		if (page->options->terminal)
			table_set_text(&cells[3],
			               bar(page, row->bytes,
			                   jetsam->physical_bytes.value));
	}
	text_table(&table, page->out);
	if (jetsam->compression_percent.known)
		out_addf(page->out,
		         "compression ratio %" PRIu64 ".%02" PRIu64 "\n",
		         jetsam->compression_percent.value / 100,
		         jetsam->compression_percent.value % 100);
}

// Processes

static void add_process(struct page *page, const struct jetsam_process *process,
                        struct table *table)
{
	struct table_cell *cells = table_add_row(table, &page->arena);
	const struct jetsam_process *largest = page->jetsam->largest;

	table_set_text(&cells[0], process->name);
	if (process->pid.known)
		table_set_number(&cells[1], process->pid.value);
	table_set_text(&cells[2],
	               size(page, process->footprint_bytes, process->pages));
	table_set_text(&cells[3], size(page, process->lifetime_bytes,
	                               process->lifetime_pages));
	table_set_text(&cells[4], clock_time(page, process->age_ms));
	table_set_text(&cells[5], seconds(page, process->cpu_time_us));
	if (process->fds.known)
		table_set_number(&cells[6], process->fds.value);
	if (process->has_priority && !process->band)
		table_set_text(&cells[7], arena_printf(&page->arena, "%d",
		                                       process->priority));
	else
		table_set_text(&cells[7], process->band);
	table_set_text(&cells[8], process->states_text);
	table_set_text(&cells[9], process->reason);
	if (page->options->terminal && largest)
		table_set_text(&cells[10],
		               bar(page, process->footprint_bytes.value,
		                   largest->footprint_bytes.value));
}

static void add_processes(struct page *page)
{
	bool in_pages = page->jetsam->page_bytes_unsure;
	const struct table_column columns[] = {
		{ "name", "process", TABLE_TEXT },
		{ "pid", "pid", TABLE_NUMBER },
		{ "mib", in_pages ? "pages" : "MiB", TABLE_DECIMAL },
		{ "lifetime_mib", in_pages ? "max pages" : "max MiB",
		  TABLE_DECIMAL },
		{ "age", "lived", TABLE_DECIMAL },
		{ "cpu", "CPU s", TABLE_DECIMAL },
		{ "fds", "fds", TABLE_NUMBER },
		{ "band", "band", TABLE_TEXT },
		{ "states", "states", TABLE_TEXT },
		{ "reason", "killed", TABLE_TEXT },
		{ "bar", "", TABLE_TEXT },
	};
	const struct jetsam *jetsam = page->jetsam;
	struct table table = {
		.columns = columns,
		.column_count = ARRAY_SIZE(columns) - !page->options->terminal,
	};

	if (!jetsam->ranking_count)
		return;
	add_heading(page,
	            arena_printf(&page->arena, "Processes, %zu of %zu, by %s",
	                         jetsam->ranking_count, jetsam->process_count,
	                         jetsam->ranking_order));
	for (size_t i = 0; i < jetsam->ranking_count; i++)
		add_process(page, jetsam->ranking[i], &table);
	text_table(&table, page->out);
}

static void add_coalitions(struct page *page)
{
	const struct table_column columns[] = {
		{ "name", "with", TABLE_TEXT },
		{ "id", "coalition", TABLE_NUMBER },
		{ "processes", "processes", TABLE_NUMBER },
		{ "mib", page->jetsam->page_bytes_unsure ? "pages" : "MiB",
		  TABLE_DECIMAL },
	};
	const struct jetsam *jetsam = page->jetsam;
	size_t count = jetsam->coalition_count;
	struct table table = { .columns = columns,
		               .column_count = ARRAY_SIZE(columns) };

	// As many as there are processes: helpers of what is shown.
	if (count > jetsam->ranking_count)
		count = jetsam->ranking_count;
	if (!count)
		return;
	add_heading(page, "Coalitions of several processes");
	for (size_t i = 0; i < count; i++) {
		const struct jetsam_coalition *sum = &jetsam->coalitions[i];
		struct table_cell *cells = table_add_row(&table, &page->arena);

		table_set_text(&cells[0], sum->name);
		table_set_number(&cells[1], sum->id);
		table_set_number(&cells[2], sum->process_count);
		table_set_text(&cells[3], size(page, sum->bytes,
		                               (struct jetsam_number){
		                                       sum->pages, true }));
	}
	text_table(&table, page->out);
}

void jetsam_page(const struct report *report,
                 const struct format_options *options, struct out *out)
{
	struct page page = { .jetsam = report->jetsam,
		             .options = options,
		             .out = out };

	add_verdict(&page);
	add_device(&page, report);
	add_memory(&page);
	add_processes(&page);
	add_coalitions(&page);
	arena_release(&page.arena);
}
