/**
 * What the tests of MetricKit payloads share: reading one, and looking at what
 * came of it. Include cmocka's headers first.
 */
#ifndef APMTOOL_TESTS_UNIT_METRICKIT_READ_H
#define APMTOOL_TESTS_UNIT_METRICKIT_READ_H

#include "lib/base/str.h"
#include "parsers/parser.h"

#include <inttypes.h>
#include <string.h>

static inline struct report *parse(struct arena *arena, const char *json)
{
	struct report *report = NULL;
	struct error *err;

	assert_true(parser_sniff(&metrickit_parser, text_from(json)));
	err = parser_parse(&metrickit_parser, text_from(json), arena, &report);
	if (err)
		fail_msg("%s", error_message(err));
	return report;
}

static inline void assert_note(const struct report *report, const char *place,
                               const char *text)
{
	for (size_t i = 0; i < report->note_count; i++)
		if (!strcmp(report->notes[i].place, place) &&
		    !strcmp(report->notes[i].text, text))
			return;
	for (size_t i = 0; i < report->note_count; i++)
		print_message("%s: %s\n", report->notes[i].place,
		              report->notes[i].text);
	fail_msg("no note '%s: %s'", place, text);
}

/** The addresses of a stack: `1 2 3`. */
static inline const char *addresses(struct arena *arena,
                                    const struct report_stack *stack)
{
	SCOPED(str_release) struct str text = { 0 };

	for (size_t i = 0; i < stack->count; i++)
		str_addf(&text, "%s%" PRIu64, i ? " " : "",
		         stack->frames[i].address);
	return arena_text(arena, str_text(&text));
}

#endif
