#include "lib/analysis/jetsam/jetsam.h"

#include "lib/analysis/jetsam/names.h"
#include "lib/base/mem.h"
#include "lib/base/number.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/** Page sizes that no device has ever had lie outside of these. */
#define PAGE_BYTES_MIN ((uint64_t)1 << 10)
#define PAGE_BYTES_MAX ((uint64_t)1 << 20)

/** A collected limit that is off by more than 1 in 100 disagrees. */
#define HINT_TOLERANCE 100

// Units

static bool is_page_size(uint64_t bytes)
{
	return bytes >= PAGE_BYTES_MIN && bytes <= PAGE_BYTES_MAX &&
	       !(bytes & (bytes - 1));
}

/** What is computed from it is told in tables and JSON, too: hence a note. */
static void note_page_size(struct report *report, struct arena *arena)
{
	const struct jetsam *jetsam = report->jetsam;
	const struct jetsam_number *said = &jetsam->memory.page_bytes;
	const char *fault = "no page size";

	// The old text has no place for it, and a cut log nothing to count.
	if (!strcmp(report->form, "jetsam-text") || !jetsam->process_count)
		return;
	if (said->known)
		fault = arena_printf(arena, "%" PRIu64 " is no page size",
		                     said->value);
	if (jetsam->page_bytes_unsure)
		fault = arena_printf(arena, "%s: sizes are given in pages",
		                     fault);
	else
		fault = arena_printf(arena, "%s: %" PRIu64 " bytes are assumed",
		                     fault, jetsam->page_bytes.value);
	report_add_note(report, arena, "memoryStatus.pageSize", fault);
}

/** formats.md 4.8: by the device, or 4096 in the old text; and say so. */
static void set_page_size(struct report *report, struct arena *arena)
{
	struct jetsam *jetsam = report->jetsam;
	const struct jetsam_number *said = &jetsam->memory.page_bytes;
	bool is_old_text = !strcmp(report->form, "jetsam-text");

	jetsam->page_bytes = *said;
	if (said->known && is_page_size(said->value))
		return;
	jetsam->page_bytes.known = true;
	if (is_old_text)
		jetsam->page_bytes.value = 4096;
	else
		jetsam->page_bytes_unsure = !jetsam_page_bytes(
		        report->hardware_model, &jetsam->page_bytes.value);
	jetsam->page_bytes_assumed = true;
	note_page_size(report, arena);
}

static struct jetsam_number to_bytes(const struct jetsam *jetsam,
                                     struct jetsam_number pages)
{
	pages.known &= !jetsam->page_bytes_unsure;
	// JETSAM_PAGES_MAX × PAGE_BYTES_MAX has 60 bits.
	pages.value *= jetsam->page_bytes.value;
	return pages;
}

/**
 * Ticks in a microsecond: the timer of Apple's ARM devices runs at 24 MHz
 * (× 125 / 3 is nanoseconds); simulators on Intel count nanoseconds.
 */
static uint64_t ticks_per_us(const char *product)
{
	if (product && (!strcmp(product, "x86_64") || !strcmp(product, "i386")))
		return 1000;
	return 24;
}

static struct jetsam_number divided(struct jetsam_number number,
                                    uint64_t divisor)
{
	number.value /= divisor;
	return number;
}

static void convert_units(struct report *report)
{
	struct jetsam *jetsam = report->jetsam;
	uint64_t us = ticks_per_us(report->hardware_model);

	for (size_t i = 0; i < jetsam->process_count; i++) {
		struct jetsam_process *p = &jetsam->processes[i];

		p->footprint_bytes = to_bytes(jetsam, p->pages);
		p->lifetime_bytes = to_bytes(jetsam, p->lifetime_pages);
		p->age_ms = divided(p->age_ticks, us * 1000);
		p->idle_ms = divided(p->idle_ticks, us * 1000);
		p->kill_delay_us = divided(p->kill_ticks, us);
	}
}

// Bands

/** `…root:xnu-8792.2.11~1/RELEASE…`: 8792 */
static bool kernel_major(const char *kernel, uint64_t *ret)
{
	struct text in = text_from(kernel ? kernel : "");
	size_t at = text_find(in, "xnu-");
	size_t size = 0;

	if (at == TEXT_NOWHERE)
		return false;
	in = text_after(in, at + strlen("xnu-"));
	while (size < in.size && text_is_digit(in.data[size]))
		size++;
	return number_decimal(text_first(in, size), ret);
}

/** The first number of `iPhone OS 16.0 (20A362)`. */
static bool os_major(const char *version, uint64_t *ret)
{
	struct text in = text_from(version ? version : "");
	size_t start = 0, size = 0;

	while (start < in.size && !text_is_digit(in.data[start]))
		start++;
	in = text_after(in, start);
	while (size < in.size && text_is_digit(in.data[size]))
		size++;
	return number_decimal(text_first(in, size), ret);
}

/** Its versions are seven behind: watchOS 9 is of the year of iOS 16. */
static bool is_watch(const char *version)
{
	struct text name = text_from(version);

	return text_starts(name, "Watch OS") || text_starts(name, "watchOS");
}

/** formats.md 4.4: by the kernel, else by the OS, else by the bands. */
static bool has_new_bands(const struct report *report)
{
	const struct jetsam *jetsam = report->jetsam;
	uint64_t major;

	if (kernel_major(jetsam->kernel, &major))
		return major >= 8792;
	if (os_major(report->os_version, &major))
		return major >= (is_watch(report->os_version) ? 9 : 16);
	for (size_t i = 0; i < jetsam->process_count; i++)
		if (jetsam->processes[i].priority > 21)
			return true;
	return false;
}

static void name_bands(struct report *report)
{
	struct jetsam *jetsam = report->jetsam;

	jetsam->new_bands = has_new_bands(report);
	for (size_t i = 0; i < jetsam->process_count; i++) {
		struct jetsam_process *p = &jetsam->processes[i];

		if (p->has_priority)
			p->band = jetsam_band_name(p->priority,
			                           jetsam->new_bands);
	}
}

// Memory

static void add_row(struct jetsam *jetsam, const char *name,
                    struct jetsam_number pages, bool is_part)
{
	struct jetsam_memory_row *row = &jetsam->rows[jetsam->row_count];

	if (!pages.known || jetsam->page_bytes_unsure)
		return;
	*row = (struct jetsam_memory_row){
		.name = name,
		.bytes = to_bytes(jetsam, pages).value,
		.is_part = is_part,
	};
	jetsam->row_count++;
	if (is_part)
		return;
	jetsam->physical_bytes.value += row->bytes;
}

/** What together is the memory, then what cuts it another way. */
static void list_memory(struct jetsam *jetsam, struct arena *arena)
{
	const struct jetsam_memory *memory = &jetsam->memory;
	const struct jetsam_number *held = &memory->uncompressed;
	const struct jetsam_number *taken = &memory->compressor;
	uint64_t sum;

	jetsam->rows = arena_array(arena, 10, sizeof(*jetsam->rows));
	add_row(jetsam, "active", memory->active, false);
	add_row(jetsam, "inactive", memory->inactive, false);
	add_row(jetsam, "wired", memory->wired, false);
	add_row(jetsam, "compressor", memory->compressor, false);
	add_row(jetsam, "speculative", memory->speculative, false);
	add_row(jetsam, "throttled", memory->throttled, false);
	add_row(jetsam, "free", memory->free, false);
	add_row(jetsam, "file-backed", memory->file_backed, true);
	add_row(jetsam, "anonymous", memory->anonymous, true);
	add_row(jetsam, "purgeable", memory->purgeable, true);
	// Percentages of what a cut log has left would be of nothing.
	jetsam->physical_bytes.known = memory->active.known &&
	                               memory->inactive.known &&
	                               memory->wired.known &&
	                               memory->free.known;
	if (!jetsam->physical_bytes.known)
		jetsam->physical_bytes.value = 0;
	sum = jetsam->physical_bytes.value;
	for (size_t i = 0; sum && i < jetsam->row_count; i++) {
		struct jetsam_memory_row *row = &jetsam->rows[i];

		// A KiB is the unit, so that the product stays in 64 bits.
		row->permille.known = true;
		row->permille.value = (row->bytes >> 10) * 1000 / (sum >> 10);
	}
	if (held->known && taken->known && taken->value) {
		jetsam->compression_percent.known = true;
		jetsam->compression_percent.value = held->value * 100 /
		                                    taken->value;
	}
}

// Victims

/** By the states; UNKNOWN where they say nothing of it. */
static enum jetsam_stand stand_of_states(unsigned states)
{
	if (states & JETSAM_FRONTMOST ||
	    (states & JETSAM_ACTIVE && !(states & JETSAM_BACKGROUND)))
		return JETSAM_STAND_FOREGROUND;
	if (states & (JETSAM_BACKGROUND | JETSAM_SUSPENDED))
		return JETSAM_STAND_BACKGROUND;
	if (states & JETSAM_DAEMON)
		return JETSAM_STAND_SYSTEM;
	return JETSAM_STAND_UNKNOWN;
}

static void find_stands(struct jetsam *jetsam)
{
	for (size_t i = 0; i < jetsam->process_count; i++) {
		struct jetsam_process *p = &jetsam->processes[i];

		p->stand = stand_of_states(p->states);
		// Old logs lack states: the band is left, if there is one.
		if (p->stand == JETSAM_STAND_UNKNOWN && p->has_priority &&
		    jetsam_band_is_foreground(p->priority, jetsam->new_bands))
			p->stand = JETSAM_STAND_FOREGROUND;
	}
}

/** What the stand of a victim rests on; NULL: nothing. */
static const char *stand_evidence(const struct jetsam_process *process,
                                  struct arena *arena)
{
	bool by_states = stand_of_states(process->states) !=
	                 JETSAM_STAND_UNKNOWN;

	if (!by_states && process->has_priority)
		return arena_printf(arena, "band %d%s%s", process->priority,
		                    process->band ? ", " : "",
		                    process->band ? process->band : "");
	return process->states_text
	               ? arena_printf(arena, "states: %s", process->states_text)
	               : NULL;
}

static void judge_victim(const struct jetsam *jetsam,
                         const struct jetsam_process *process,
                         struct arena *arena, struct jetsam_victim *victim)
{
	const struct jetsam_cause *cause = jetsam_cause_find(process->reason);

	victim->process = process;
	victim->stand = process->stand;
	victim->evidence = stand_evidence(process, arena);
	victim->meaning = cause ? cause->meaning : "an unknown cause";
	victim->advice = cause ? cause->advice : NULL;
	victim->at_fault = cause && cause->blame == JETSAM_BLAME_OWN;
	victim->is_largest = jetsam->largest && process->pages.known &&
	                     process->pages.value ==
	                             jetsam->largest->pages.value;
	// formats.md 4.6: the process was caught just above its limit; for any
	// other reason there is no limit to read, nor from a footprint of 0.
	if (!strcmp(process->reason, JETSAM_HARD_LIMIT) && process->pages.value)
		victim->limit_bytes = process->footprint_bytes;
}

/** Who went over a limit of its own first, then by footprint. */
static int compare_victims(const void *left, const void *right)
{
	const struct jetsam_victim *a = left;
	const struct jetsam_victim *b = right;

	if (a->limit_bytes.known != b->limit_bytes.known)
		return a->limit_bytes.known ? -1 : 1;
	if (a->process->pages.value != b->process->pages.value)
		return a->process->pages.value > b->process->pages.value ? -1
		                                                         : 1;
	return a->process->index < b->process->index ? -1 : 1;
}

static void find_victims(struct jetsam *jetsam, struct arena *arena)
{
	size_t count = 0;

	for (size_t i = 0; i < jetsam->process_count; i++) {
		const struct jetsam_process *p = &jetsam->processes[i];

		count += p->reason != NULL;
		if (p->pages.known &&
		    (!jetsam->largest ||
		     p->pages.value > jetsam->largest->pages.value))
			jetsam->largest = p;
	}
	jetsam->victims = arena_array(arena, count, sizeof(*jetsam->victims));
	for (size_t i = 0; i < jetsam->process_count; i++)
		if (jetsam->processes[i].reason)
			judge_victim(jetsam, &jetsam->processes[i], arena,
			             &jetsam->victims[jetsam->victim_count++]);
	qsort(jetsam->victims, count, sizeof(*jetsam->victims),
	      compare_victims);
}

// Ranking

static int compare_numbers(struct jetsam_number a, struct jetsam_number b)
{
	if (a.known != b.known)
		return a.known ? -1 : 1;
	if (a.value != b.value)
		return a.value > b.value ? -1 : 1;
	return 0;
}

/** In the order of JETSAM_SORTS: the largest first, names from a to z. */
static int compare_by(unsigned sort, const struct jetsam_process *a,
                      const struct jetsam_process *b)
{
	switch (sort) {
	case 1:
		return compare_numbers(a->lifetime_pages, b->lifetime_pages);
	case 2:
		return strcmp(a->name ? a->name : "", b->name ? b->name : "");
	case 3:
		return compare_numbers(a->age_ticks, b->age_ticks);
	case 4:
		return compare_numbers(a->cpu_time_us, b->cpu_time_us);
	case 5:
		return compare_numbers(a->fds, b->fds);
	case 6:
		return -compare_numbers(a->pid, b->pid);
	default:
		return compare_numbers(a->pages, b->pages);
	}
}

/** A place in the list that is being sorted. */
struct rank {
	const struct jetsam_process *process;
	unsigned sort;
};

static int compare_ranks(const void *left, const void *right)
{
	const struct rank *a = left;
	const struct rank *b = right;
	int order = compare_by(a->sort, a->process, b->process);

	if (!order)
		order = compare_numbers(a->process->pages, b->process->pages);
	return order ? order : a->process->index < b->process->index ? -1 : 1;
}

static void rank(struct jetsam *jetsam, struct arena *arena,
                 const struct jetsam_view *view)
{
	// In the order of JETSAM_SORTS.
	static const char *const names[] = { "footprint", "lifetime maximum",
		                             "name",      "age",
		                             "CPU time",  "descriptors",
		                             "process id" };
	size_t count = jetsam->process_count;
	SCOPED(mem_drop) struct rank *ranks = mem_zalloc(count, sizeof(*ranks));

	for (size_t i = 0; i < count; i++)
		ranks[i] = (struct rank){ .process = &jetsam->processes[i],
			                  .sort = view->sort };
	qsort(ranks, count, sizeof(*ranks), compare_ranks);
	jetsam->ranking_order = names[view->sort];
	jetsam->ranking_count = view->top && view->top < count ? view->top
	                                                       : count;
	jetsam->ranking = arena_array(arena, jetsam->ranking_count,
	                              sizeof(const struct jetsam_process *));
	for (size_t i = 0; i < jetsam->ranking_count; i++)
		jetsam->ranking[i] = ranks[i].process;
}

// Coalitions

static int compare_members(const void *left, const void *right)
{
	const struct jetsam_process *a =
	        *(const struct jetsam_process *const *)left;
	const struct jetsam_process *b =
	        *(const struct jetsam_process *const *)right;
	int order = compare_numbers(a->coalition, b->coalition);

	if (!order)
		order = compare_numbers(a->pages, b->pages);
	return order ? order : a->index < b->index ? -1 : 1;
}

static int compare_coalitions(const void *left, const void *right)
{
	const struct jetsam_coalition *a = left;
	const struct jetsam_coalition *b = right;

	if (a->pages != b->pages)
		return a->pages > b->pages ? -1 : 1;
	return a->id < b->id ? -1 : a->id > b->id;
}

/** An app and its helpers; who is alone is in the list already. */
static void sum_coalitions(struct jetsam *jetsam, struct arena *arena)
{
	const struct jetsam_process **members =
	        arena_array(arena, jetsam->process_count, sizeof(const void *));
	size_t count = 0, kept = 0;

	jetsam->coalitions = arena_array(arena, jetsam->process_count,
	                                 sizeof(*jetsam->coalitions));
	for (size_t i = 0; i < jetsam->process_count; i++)
		if (jetsam->processes[i].coalition.known)
			members[count++] = &jetsam->processes[i];
	qsort(members, count, sizeof(*members), compare_members);
	for (size_t i = 0; i < count; i++) {
		uint64_t id = members[i]->coalition.value;
		// The largest stands first, and what is not known last.
		bool has_sum = members[i]->pages.known;
		struct jetsam_coalition *sum = &jetsam->coalitions[kept];

		*sum = (struct jetsam_coalition){ .id = id,
			                          .name = members[i]->name };
		for (; i < count && members[i]->coalition.value == id; i++) {
			sum->process_count++;
			sum->pages += members[i]->pages.value;
		}
		i--;
		sum->bytes = to_bytes(
		        jetsam, (struct jetsam_number){ sum->pages, true });
		kept += has_sum && sum->process_count > 1;
	}
	jetsam->coalition_count = kept;
	qsort(jetsam->coalitions, kept, sizeof(*jetsam->coalitions),
	      compare_coalitions);
}

// The collected limit

bool jetsam_disagrees(const struct jetsam_victim *victim,
                      const struct jetsam_hint *hint)
{
	uint64_t collected = hint->limit_bytes;
	uint64_t own = victim->limit_bytes.value;
	uint64_t off = own > collected ? own - collected : collected - own;

	// The table is about apps in front; helpers have other limits.
	return hint->device && victim->limit_bytes.known &&
	       victim->stand == JETSAM_STAND_FOREGROUND &&
	       off > own / HINT_TOLERANCE;
}

static const char *mib_text(struct arena *arena, uint64_t bytes)
{
	SCOPED(str_release) struct str text = { 0 };

	jetsam_add_mib(&text, bytes);
	return arena_text(arena, str_text(&text));
}

static void look_up_limit(struct jetsam *jetsam, const struct limits *limits,
                          struct arena *arena)
{
	const struct limit *limit = limits ? limits_find(limits, jetsam->model)
	                                   : NULL;

	if (!limit)
		return;
	jetsam->hint = (struct jetsam_hint){
		.device = limit->device,
		.limit_bytes = limit->limit_bytes,
		.limit_mib = mib_text(arena, limit->limit_bytes),
		.ram_mib = mib_text(arena, limit->ram_bytes),
		.percent = (limit->limit_bytes * 100 + limit->ram_bytes / 2) /
		           limit->ram_bytes,
		.os = limit->os,
		.source = limits->source,
	};
	for (size_t i = 0; i < jetsam->victim_count; i++)
		if (jetsam_disagrees(&jetsam->victims[i], &jetsam->hint))
			jetsam->hint.disagrees = true;
}

void jetsam_analyse(struct report *report, struct arena *arena,
                    const struct jetsam_view *view)
{
	struct jetsam *jetsam = report->jetsam;

	set_page_size(report, arena);
	convert_units(report);
	name_bands(report);
	find_stands(jetsam);
	list_memory(jetsam, arena);
	find_victims(jetsam, arena);
	rank(jetsam, arena, view);
	sum_coalitions(jetsam, arena);
	jetsam->model = jetsam_model_name(report->hardware_model);
	look_up_limit(jetsam, view->limits, arena);
	jetsam_judge(report, arena);
}
