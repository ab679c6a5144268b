// SPDX-License-Identifier: MIT
#include "lib/analysis/jetsam/evidence.h"

#include "lib/base/number.h"
#include "lib/base/units.h"
#include "lib/darwin/jetsam.h"

#include <inttypes.h>
#include <string.h>

/** Limits that the verdict describes; the list has them all. */
#define LIMITS_SHOWN 3

// EXC_RESOURCE

/** Type and flavor of a code: memory, high watermark. */
#define RESOURCE_MEMORY 3
#define HIGH_WATERMARK  1

/** The limit of the first code of `0x61000000000005aa, 0x0…`, in MB; or 0. */
static uint64_t limit_of_codes(const char *codes)
{
	struct text text = text_from(codes ? codes : "");
	uint64_t code;

	if (!number_hex(text_first(text, text_find_char(text, ',')), &code) ||
	    code >> 61 != RESOURCE_MEMORY || (code >> 58 & 7) != HIGH_WATERMARK)
		return 0;
	return code & 0x1fff;
}

/** `(limit=1450 MB, unused=0x0)`, `(Limit 1450 MB) Crossed …`; or 0. */
static uint64_t limit_of_text(const char *from)
{
	static const char *const signs[] = { "limit=", "limit ", "Limit " };
	struct text text = text_from(from ? from : "");

	for (size_t i = 0; i < ARRAY_SIZE(signs); i++) {
		size_t at = text_find(text, signs[i]);
		struct text rest = text_after(text, at + strlen(signs[i]));
		struct text digits;
		uint64_t mib;

		if (at == TEXT_NOWHERE)
			continue;
		digits = text_take_digits(&rest);
		if (text_starts(rest, " MB") && number_decimal(digits, &mib) &&
		    mib <= UINT64_C(1) << 20)
			return mib;
	}
	return 0;
}

static bool speaks_of_memory(const char *text)
{
	struct text in = text_from(text ? text : "");

	return text_find(in, "MEMORY") != TEXT_NOWHERE ||
	       text_find(in, "igh Water") != TEXT_NOWHERE ||
	       text_find(in, "igh water") != TEXT_NOWHERE;
}

/** In MB; 0 for other exceptions, or if unknown. */
static uint64_t high_water_mark(const struct report *report)
{
	const struct report_exception *e = &report->exception;
	uint64_t mib;

	if (!e->type || strcmp(e->type, "EXC_RESOURCE") != 0)
		return 0;
	mib = limit_of_codes(e->codes);
	if (mib ||
	    (!speaks_of_memory(e->subtype) && !speaks_of_memory(e->message)))
		return mib;
	mib = limit_of_text(e->subtype);
	return mib ? mib : limit_of_text(e->message);
}

bool jetsam_has_evidence(const struct report *report)
{
	return !report->jetsam &&
	       (report->memory_limit_count || high_water_mark(report));
}

void jetsam_take_evidence(struct report *report, struct arena *arena)
{
	uint64_t mib = high_water_mark(report);
	struct memory_limit *limit;

	if (!mib)
		return;
	limit = report_add_memory_limit(report, arena,
	                                MEMORY_EVIDENCE_HIGH_WATER);
	limit->bytes = mib * UNITS_MIB;
	limit->pid = (struct jetsam_number){ report->process.pid,
		                             report->process.has_pid };
}

// The page

/** Bands above 21 are those of iOS 16. */
static bool has_new_bands(const struct report *report)
{
	for (size_t i = 0; i < report->memory_limit_count; i++)
		if (report->memory_limits[i].priority > 21)
			return true;
	return false;
}

bool jetsam_evidence_is_foreground(const struct report *report,
                                   const struct memory_limit *limit)
{
	return limit->evidence == MEMORY_EVIDENCE_PRIORITY_LIST &&
	       jetsam_band_is_foreground(limit->priority,
	                                 has_new_bands(report));
}

/** `1450.4` for people, else all digits. */
static const char *mib_text(struct arena *arena, uint64_t bytes,
                            bool for_people)
{
	SCOPED(str_release) struct str text = { 0 };

	if (for_people)
		units_add_fixed(&text, bytes, UNITS_MIB, 1);
	else
		units_add_exact(&text, bytes, UNITS_MIB);
	return arena_text(arena, str_text(&text));
}

static const char *mib(struct arena *arena, uint64_t bytes)
{
	return mib_text(arena, bytes, true);
}

static const char *line_of(const struct report *report,
                           const struct memory_limit *limit,
                           struct arena *arena)
{
	const char *name = report->process.name;
	const char *size = mib(arena, limit->bytes);

	switch (limit->evidence) {
	case MEMORY_EVIDENCE_SUM:
		return arena_printf(arena,
		                    "the memory limit%s%s is about %s MiB: "
		                    "footprint %s MiB + available memory %s "
		                    "MiB",
		                    name ? " of " : "", name ? name : "", size,
		                    mib(arena, limit->footprint_bytes),
		                    mib(arena, limit->available_bytes));
	case MEMORY_EVIDENCE_PRIORITY_LIST:
		return arena_printf(arena,
		                    "the memory limit of the foreground app "
		                    "[%" PRIu64 "] is %s MiB: band %d of the "
		                    "jetsam priority list",
		                    limit->pid.value, size, limit->priority);
	case MEMORY_EVIDENCE_WARNING:
		return arena_printf(arena,
		                    "the memory limit is at least %s MiB: the "
		                    "app held that much and lived to record "
		                    "it",
		                    size);
	case MEMORY_EVIDENCE_LOGGED:
		return arena_printf(
		        arena,
		        "the memory limit%s%s is %s MiB, as the app "
		        "logged it at a memory warning: it held %s "
		        "MiB",
		        name ? " of " : "", name ? name : "", size,
		        mib(arena, limit->footprint_bytes));
	case MEMORY_EVIDENCE_AVAILABLE:
		return arena_printf(arena,
		                    "the memory limit%s%s is more than %s MiB: "
		                    "the app could still use that much",
		                    name ? " of " : "", name ? name : "", size);
	case MEMORY_EVIDENCE_HIGH_WATER:
		break;
	}
	return arena_printf(arena,
	                    "the memory limit%s%s is %s MiB: it crossed this "
	                    "high-water mark (EXC_RESOURCE)",
	                    name ? " of " : "", name ? name : "", size);
}

static void add_verdict(struct page *page, const struct report *report,
                        struct arena *arena)
{
	size_t shown = 0;
	size_t others = 0;

	for (size_t i = 0; i < report->memory_limit_count; i++) {
		const struct memory_limit *limit = &report->memory_limits[i];
		bool is_other = limit->evidence ==
		                        MEMORY_EVIDENCE_PRIORITY_LIST &&
		                !jetsam_evidence_is_foreground(report, limit);

		if (is_other || shown == LIMITS_SHOWN) {
			others++;
			continue;
		}
		page_add_verdict(page, arena, line_of(report, limit, arena));
		shown++;
	}
	if (!shown)
		page_add_verdict(page, arena,
		                 "no limit of a foreground app: the priority "
		                 "list has limits of others only");
	else if (others)
		page_add_verdict(page, arena,
		                 arena_printf(arena, "  and %zu more limit%s",
		                              others, text_plural(others)));
}

static void set_mib(struct table_cell *cell, uint64_t bytes, bool for_people,
                    struct arena *arena)
{
	if (bytes)
		table_set_text(cell, mib_text(arena, bytes, for_people));
}

enum {
	EVIDENCE_NAME,
	EVIDENCE_PROCESS,
	EVIDENCE_PID,
	EVIDENCE_BAND,
	EVIDENCE_LIMIT,
	EVIDENCE_AT_LEAST,
	EVIDENCE_FOOTPRINT,
	EVIDENCE_AVAILABLE,
	EVIDENCE_THRESHOLD,
	EVIDENCE_COLUMNS,
};

static const struct table *list_limits(const struct report *report,
                                       bool for_people, struct arena *arena)
{
	static const struct table_column columns[EVIDENCE_COLUMNS] = {
		[EVIDENCE_NAME] = { "evidence", "evidence", TABLE_PROSE },
		[EVIDENCE_PROCESS] = { "process", "process", TABLE_NAME },
		[EVIDENCE_PID] = { "pid", "pid", TABLE_NUMBER },
		[EVIDENCE_BAND] = { "band", "band", TABLE_TEXT },
		[EVIDENCE_LIMIT] = { "limit_mib", "limit MiB", TABLE_DECIMAL },
		[EVIDENCE_AT_LEAST] = { "at_least", NULL, TABLE_BOOL },
		[EVIDENCE_FOOTPRINT] = { "footprint_mib", "footprint MiB",
		                         TABLE_DECIMAL },
		[EVIDENCE_AVAILABLE] = { "available_mib", "available MiB",
		                         TABLE_DECIMAL },
		[EVIDENCE_THRESHOLD] = { "threshold_mib", NULL, TABLE_DECIMAL },
	};
	static const char *const spare[] = { "available_mib", "footprint_mib",
		                             "pid", NULL };
	bool new_bands = has_new_bands(report);
	struct table *table = arena_alloc(arena, sizeof(*table));

	*table = (struct table){ .name = "memory-limits",
		                 .spare = spare,
		                 .columns = columns,
		                 .column_count = EVIDENCE_COLUMNS };
	for (size_t i = 0; i < report->memory_limit_count; i++) {
		const struct memory_limit *limit = &report->memory_limits[i];
		struct table_cell *cells = table_add_row(table, arena);

		table_set_text(&cells[EVIDENCE_NAME],
		               memory_evidence_name(limit->evidence));
		table_set_text(&cells[EVIDENCE_PROCESS], report->process.name);
		if (limit->pid.known)
			table_set_number(&cells[EVIDENCE_PID],
			                 limit->pid.value);
		if (limit->has_priority)
			table_set_text(
			        &cells[EVIDENCE_BAND],
			        jetsam_band_name(limit->priority, new_bands));
		set_mib(&cells[EVIDENCE_LIMIT], limit->bytes, for_people,
		        arena);
		table_set_number(
		        &cells[EVIDENCE_AT_LEAST],
		        memory_evidence_is_lower_bound(limit->evidence));
		set_mib(&cells[EVIDENCE_FOOTPRINT], limit->footprint_bytes,
		        for_people, arena);
		set_mib(&cells[EVIDENCE_AVAILABLE], limit->available_bytes,
		        for_people, arena);
		set_mib(&cells[EVIDENCE_THRESHOLD], limit->threshold_bytes,
		        for_people, arena);
	}
	return table;
}

struct page *jetsam_evidence_page(const struct report *report, bool for_people,
                                  struct arena *arena)
{
	struct page *page = page_new(arena, "memory-limits");
	const struct table *table = list_limits(report, for_people, arena);

	add_verdict(page, report, arena);
	page_add_fact(page, arena, "device", NULL, report->hardware_model);
	page_add_fact(page, arena, "os_version", NULL, report->os_version);
	page_add_fact(page, arena, "date_time", NULL, report->date_time);
	page_add_table(page, arena, "Evidence of memory limits", table, NULL);
	page->list = table;
	return page;
}
