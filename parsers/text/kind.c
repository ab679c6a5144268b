// SPDX-License-Identifier: MIT
#include "parsers/text/kind.h"

#include "parsers/text/panic.h"

#include <limits.h>

static const struct text_kind kinds[] = {
	{ { "Date/Time:", "Data Source:" },
	  "a spindump",
	  TEXT_KIND_SPINDUMP,
	  false },
	{ { "Date/Time:", "Steps:" }, "a spindump", TEXT_KIND_SPINDUMP, false },
	{ { "Date/Time:", "Heaviest stack" },
	  "a spindump",
	  TEXT_KIND_SPINDUMP,
	  false },
	{ { "Process:", "Num samples:" },
	  "a part of a spindump",
	  TEXT_KIND_SPINDUMP,
	  false },
	{ { "Powerstats for:", "Num samples:" },
	  "a part of a spindump",
	  TEXT_KIND_SPINDUMP,
	  false },
	// Excerpts of a spindump.
	{ { "Event:", "Steps:" },
	  "a part of a spindump",
	  TEXT_KIND_SPINDUMP,
	  true },
	{ { "Event:", "Process:" },
	  "a part of a spindump",
	  TEXT_KIND_SPINDUMP,
	  true },
	{ { "Heaviest stack for ", NULL },
	  "a part of a spindump",
	  TEXT_KIND_SPINDUMP,
	  true },
	{ { "Analysis of sampling ", NULL },
	  "an output of 'sample'",
	  TEXT_KIND_SAMPLE,
	  false },
	{ { "Call graph:", NULL },
	  "an output of 'sample'",
	  TEXT_KIND_SAMPLE,
	  false },
	// With images it has stacks, which are read like a crash's.
	{ { "leaks Report Version:", NULL },
	  "an output of 'leaks'",
	  TEXT_KIND_LOG,
	  true },
	{ { "malloc_history Report Version:", NULL },
	  "an output of 'malloc_history'",
	  TEXT_KIND_LOG,
	  true },
	{ { "Process ", "All zones:" },
	  "an output of 'heap'",
	  TEXT_KIND_LOG,
	  false },
	{ { "Virtual Memory Map of process ", NULL },
	  "an output of 'vmmap'",
	  TEXT_KIND_LOG,
	  false },
	{ { "==== Non-writable regions for process ", NULL },
	  "an output of 'vmmap'",
	  TEXT_KIND_LOG,
	  false },
	// backboardd's stackshots up to iOS 8.
	{ { "Exception Code:", "Frontmost process PID:" },
	  "a stackshot",
	  TEXT_KIND_LOG,
	  false },
	{ { PANIC_TEXT_MARK, NULL },
	  "a kernel panic log",
	  TEXT_KIND_LOG,
	  true },
	// As formatters/report/text/other.c writes it.
	{ { "Report Kind:", NULL }, NULL, TEXT_KIND_LOG, true },
};

bool text_kind_has_images(struct text in)
{
	return text_find(in, "\nBinary Images:") != TEXT_NOWHERE;
}

/** First letters of identifying lines: few lines begin with one. */
static void mark_letters(bool letters[UCHAR_MAX + 1])
{
	for (size_t k = 0; k < ARRAY_SIZE(kinds); k++)
		for (size_t j = 0; j < 2; j++)
			if (kinds[k].begins[j])
				letters[(unsigned char)*kinds[k].begins[j]] =
				        true;
}

const struct text_kind *text_kind_find(struct text in)
{
	bool letters[UCHAR_MAX + 1] = { false };
	struct text rest = text_first(in, TEXT_KIND_BYTES);
	struct text line;
	unsigned seen[2] = { 0 };

	mark_letters(letters);
	for (size_t i = 0; i < TEXT_KIND_LINES && text_next_line(&rest, &line);
	     i++) {
		if (!line.size || !letters[(unsigned char)line.data[0]])
			continue;
		for (size_t k = 0; k < ARRAY_SIZE(kinds); k++) {
			const struct text_kind *kind = &kinds[k];

			for (size_t j = 0; j < 2; j++)
				if (!kind->begins[j] ||
				    text_starts(line, kind->begins[j]))
					seen[j] |= 1u << k;
			if (seen[0] & seen[1] & 1u << k)
				return kind->may_be_crash &&
				                       text_kind_has_images(in)
				               ? NULL
				               : kind;
		}
	}
	return NULL;
}
