// SPDX-License-Identifier: MIT
#include "lib/analysis/jetsam/steps.h"

#include "lib/darwin/cpu.h"
#include "lib/darwin/products.h"

#include <inttypes.h>
#include <string.h>

/** Page sizes outside of these do not exist. */
#define PAGE_BYTES_MIN ((uint64_t)1 << 10)
#define PAGE_BYTES_MAX ((uint64_t)1 << 20)

static bool is_page_size(uint64_t bytes)
{
	return bytes >= PAGE_BYTES_MIN && bytes <= PAGE_BYTES_MAX &&
	       !(bytes & (bytes - 1));
}

/** Tables and JSON are computed from it, too: hence a note. */
static void note_page_size(const struct jetsam_work *work)
{
	struct report *report = work->report;
	const struct jetsam *jetsam = report->jetsam;
	const struct jetsam_answer *answer = work->answer;
	const struct jetsam_number *said = &jetsam->memory.page_bytes;
	const char *fault = "no page size";

	// The old text has no place for it, a truncated log nothing to count.
	if (!strcmp(report->format, "jetsam-text") || !jetsam->process_count)
		return;
	if (said->known)
		fault = arena_printf(work->arena,
		                     "%" PRIu64 " is not a page size",
		                     said->value);
	if (answer->page_bytes_unsure)
		fault = arena_printf(work->arena,
		                     "%s: sizes are given in pages", fault);
	else
		fault = arena_printf(work->arena,
		                     "%s: %" PRIu64 " bytes are assumed", fault,
		                     answer->page_bytes.value);
	report_add_note(report, work->arena, "memoryStatus.pageSize", fault);
}

/** By the device, or 4096 in the old text; with a note. */
static void set_page_size(struct jetsam_work *work)
{
	const struct report *report = work->report;
	struct jetsam_answer *answer = work->answer;
	const struct jetsam_number *said = &report->jetsam->memory.page_bytes;
	bool is_old_text = !strcmp(report->format, "jetsam-text");

	answer->page_bytes = *said;
	// Values from the kernel or the app are in bytes.
	if (report->jetsam->process_count && report->jetsam->processes->kernel)
		return;
	if (said->known && is_page_size(said->value))
		return;
	answer->page_bytes.known = true;
	if (is_old_text)
		answer->page_bytes.value = 4096;
	else
		answer->page_bytes_unsure = !darwin_page_bytes(
		        report->hardware_model, &answer->page_bytes.value);
	answer->page_bytes_assumed = true;
	note_page_size(work);
}

struct jetsam_number jetsam_to_bytes(const struct jetsam_answer *answer,
                                     struct jetsam_number pages)
{
	pages.known &= !answer->page_bytes_unsure;
	// JETSAM_PAGES_MAX × PAGE_BYTES_MAX has 60 bits.
	pages.value *= answer->page_bytes.value;
	return pages;
}

/**
 * Ticks in a microsecond: the timer of Apple's ARM devices runs at 24 MHz
 * (× 125 / 3 is nanoseconds); simulators on Intel count nanoseconds.
 */
static uint64_t ticks_per_us(const char *product)
{
	return darwin_arch_is_intel(product) ? 1000 : 24;
}

static struct jetsam_number divided(struct jetsam_number number,
                                    uint64_t divisor)
{
	number.value /= divisor;
	return number;
}

void jetsam_convert_units(struct jetsam_work *work)
{
	const struct jetsam *jetsam = work->report->jetsam;
	struct jetsam_answer *answer = work->answer;
	uint64_t us = ticks_per_us(work->report->hardware_model);

	set_page_size(work);
	answer->usages = arena_array(work->arena, jetsam->process_count,
	                             sizeof(*answer->usages));
	for (size_t i = 0; i < jetsam->process_count; i++) {
		const struct jetsam_process *p = &jetsam->processes[i];

		answer->usages[i] = (struct jetsam_usage){
			.process = p,
			.footprint_bytes =
			        p->kernel ? p->kernel->footprint_bytes
			                  : jetsam_to_bytes(answer, p->pages),
			.lifetime_bytes =
			        jetsam_to_bytes(answer, p->lifetime_pages),
			.age_ms = divided(p->age_ticks, us * 1000),
			.idle_ms = divided(p->idle_ticks, us * 1000),
			.kill_delay_us = divided(p->kill_ticks, us),
		};
	}
}
