// SPDX-License-Identifier: MIT
/**
 * For tests: an empty lag report, and the names of its frames.
 */
#ifndef APMTOOL_TESTS_UNIT_LAG_HANG_H
#define APMTOOL_TESTS_UNIT_LAG_HANG_H

#include "lib/base/mem.h"
#include "lib/model/profile/lag.h"

#include <stdlib.h>

struct hang {
	struct intern names;
	struct lag_report report;
};

static inline int hang_begin(void **state)
{
	struct hang *hang = mem_zalloc(1, sizeof(*hang));

	lag_report_init(&hang->report, &hang->names);
	*state = hang;
	return 0;
}

static inline int hang_end(void **state)
{
	struct hang *hang = *state;

	lag_report_release(&hang->report);
	intern_release(&hang->names);
	free(hang);
	return 0;
}

/** A test whose state is a fresh `struct hang`. */
#define IN_HANG(test) \
	cmocka_unit_test_setup_teardown(test, hang_begin, hang_end)

#endif
