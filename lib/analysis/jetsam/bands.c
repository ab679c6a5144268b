// SPDX-License-Identifier: MIT
#include "lib/analysis/jetsam/steps.h"

#include "lib/base/number.h"
#include "lib/darwin/jetsam.h"

#include <string.h>

/** `…root:xnu-8792.2.11~1/RELEASE…`: 8792 */
static bool kernel_major(const char *kernel, uint64_t *ret)
{
	struct text in = text_from(kernel ? kernel : "");
	size_t at = text_find(in, "xnu-");

	if (at == TEXT_NOWHERE)
		return false;
	in = text_after(in, at + strlen("xnu-"));
	return number_decimal(text_take_digits(&in), ret);
}

/** The first number of `iPhone OS 16.0 (20A362)`. */
static bool os_major(const char *version, uint64_t *ret)
{
	struct text in = text_from(version ? version : "");
	size_t start = 0;

	while (start < in.size && !text_is_digit(in.data[start]))
		start++;
	in = text_after(in, start);
	return number_decimal(text_take_digits(&in), ret);
}

/** watchOS versions are seven lower: watchOS 9 is from the year of iOS 16. */
static bool is_watch(const char *version)
{
	struct text name = text_from(version);

	return text_starts(name, "Watch OS") || text_starts(name, "watchOS");
}

/** Decide by the kernel, else by the OS, else by the bands. */
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

enum jetsam_app_state jetsam_app_state_of_states(unsigned states)
{
	if (states & JETSAM_FRONTMOST ||
	    (states & JETSAM_ACTIVE && !(states & JETSAM_BACKGROUND)))
		return JETSAM_APP_STATE_FOREGROUND;
	if (states & (JETSAM_BACKGROUND | JETSAM_SUSPENDED))
		return JETSAM_APP_STATE_BACKGROUND;
	if (states & JETSAM_DAEMON)
		return JETSAM_APP_STATE_SYSTEM;
	return JETSAM_APP_STATE_UNKNOWN;
}

void jetsam_place_processes(struct jetsam_work *work)
{
	struct jetsam_answer *answer = work->answer;
	size_t count = work->report->jetsam->process_count;

	answer->new_bands = has_new_bands(work->report);
	for (size_t i = 0; i < count; i++) {
		struct jetsam_usage *usage = &answer->usages[i];
		const struct jetsam_process *p = usage->process;

		usage->app_state = jetsam_app_state_of_states(p->states);
		if (!p->has_priority)
			continue;
		usage->band = jetsam_band_name(p->priority, answer->new_bands);
		// Old logs have no states: the band is left, if there is one.
		if (usage->app_state == JETSAM_APP_STATE_UNKNOWN &&
		    jetsam_band_is_foreground(p->priority, answer->new_bands))
			usage->app_state = JETSAM_APP_STATE_FOREGROUND;
	}
}
