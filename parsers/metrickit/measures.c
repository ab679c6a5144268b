// SPDX-License-Identifier: MIT
/* Measurements in the language of the device (lib/darwin/quantity.h). */
#include "lib/base/mem.h"
#include "lib/darwin/quantity.h"
#include "parsers/metrickit/reader.h"

#include <stdlib.h>
#include <string.h>

struct metrickit_measured {
	const char *key;
	enum quantity_kind kind;
	size_t offset; ///< of its number in the report
};

/**
 * Those that give the total cost of a diagnostic's samples: the main thread is
 * sampled while it hangs or the app starts, and a thread while it uses the CPU.
 */
static const struct metrickit_measured measured[] = {
	{ "hangDuration", QUANTITY_DURATION,
	  offsetof(struct report, sampled_us) },
	{ "launchDuration", QUANTITY_DURATION,
	  offsetof(struct report, sampled_us) },
	{ "totalCPUTime", QUANTITY_DURATION, offsetof(struct report, cpu_us) },
	{ "writesCaused", QUANTITY_SIZE,
	  offsetof(struct report, written_bytes) },
	// Its separators may explain those of the others.
	{ "totalSampledTime", QUANTITY_DURATION, 0 },
};

static const char *region_of(const struct report *report)
{
	return report_field(report, "Region Format");
}

/** Of a duplicate key, the last value counts. */
static struct metrickit_measure *place_of(struct metrickit_reader *r,
                                          const struct metrickit_measured *what)
{
	for (size_t i = r->measure_count; i-- > 0;) {
		if (r->measures[i].report != r->at->report)
			break;
		if (r->measures[i].what == what)
			return &r->measures[i];
	}
	MEM_GROW(r->measures, r->measure_count, r->measure_cap);
	return &r->measures[r->measure_count++];
}

void metrickit_keep_measure(struct metrickit_reader *r, const char *key,
                            const char *text)
{
	for (size_t i = 0; i < ARRAY_SIZE(measured); i++)
		if (!strcmp(measured[i].key, key))
			*place_of(r, &measured[i]) = (struct metrickit_measure){
				.report = r->at->report,
				.what = &measured[i],
				.text = text,
			};
}

static bool read_measure(struct metrickit_measure *measure, unsigned marks)
{
	const struct quantity_writer writer = {
		.region = region_of(measure->report),
		.marks = marks,
	};
	uint64_t value;

	if (!measure->what->offset)
		return true;
	if (!quantity_read(text_from(measure->text), measure->what->kind,
	                   &writer, &value))
		return false;
	memcpy((char *)measure->report + measure->what->offset, &value,
	       sizeof(value));
	return true;
}

/** The decimal separator of the device; 0 if unknown or contradictory. */
static unsigned find_marks(const struct metrickit_reader *r, size_t first)
{
	unsigned marks = 0;

	for (size_t i = first; i < r->measure_count; i++)
		marks |= quantity_marks(text_from(r->measures[i].text));
	return marks == (QUANTITY_POINT | QUANTITY_COMMA) ? 0 : marks;
}

/**
 * A payload is from one device. Its measurements are parsed again at each of
 * its few levels, since outer ones add evidence.
 */
void metrickit_read_measures(struct metrickit_reader *r, size_t first)
{
	unsigned marks = find_marks(r, first);

	for (size_t i = first; i < r->measure_count; i++)
		r->measures[i].is_read |= read_measure(&r->measures[i], marks);
}

void metrickit_finish_measures(struct metrickit_reader *r)
{
	for (size_t i = 0; i < r->measure_count; i++) {
		const struct metrickit_measure *measure = &r->measures[i];

		if (measure->is_read)
			continue;
		if (measure->what->kind == QUANTITY_DURATION)
			measure->report->sampled_unread = true;
		report_add_note(measure->report, r->arena, measure->what->key,
		                arena_printf(r->arena, "'%s': ambiguous amount",
		                             measure->text));
	}
	free(r->measures);
	r->measures = NULL;
	r->measure_count = r->measure_cap = 0;
}
