// SPDX-License-Identifier: MIT
/**
 * What the fuzz targets of parsers share: an input is sniffed and parsed,
 * whatever the sniffing said, and gives either a report or an error.
 */
#ifndef APMTOOL_TESTS_FUZZ_PARSE_INPUT_H
#define APMTOOL_TESTS_FUZZ_PARSE_INPUT_H

#include "lib/base/arena.h"
#include "parsers/reader.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/** @return The report, in @p arena; NULL where the parser refuses the input. */
static inline struct report *parse_input(const struct reader *parser,
                                         struct text in, struct arena *arena)
{
	struct report *report = NULL;
	struct error *err;

	reader_sniff(parser, in);
	err = reader_read(parser, in, arena, &report);
	if (!err != !!report)
		abort();
	error_free(err);
	return report;
}

#endif
