// SPDX-License-Identifier: MIT
/**
 * What tests share that read an input of reports, whatever its format. Include
 * cmocka's headers first, where they are needed.
 */
#ifndef APMTOOL_TESTS_UNIT_READ_REPORTS_H
#define APMTOOL_TESTS_UNIT_READ_REPORTS_H

#include "parsers/reader.h"

/** As commands that are about crashes read it. */
static UNUSED struct error *read_reports(struct bytes in, struct arena *arena,
                                         struct report **ret)
{
	struct sink sink = { .arena = arena,
		             .takes = YIELDS_ANY_REPORT,
		             .wants = YIELDS_REPORTS };
	struct error *err = read_input(in, &sink);

	if (sink.first)
		*ret = sink.first;
	return err;
}

#endif
