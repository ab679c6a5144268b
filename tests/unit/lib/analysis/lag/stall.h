/**
 * For tests: an empty lag report, and the names of its frames.
 */
#ifndef APMTOOL_TESTS_UNIT_LAG_STALL_H
#define APMTOOL_TESTS_UNIT_LAG_STALL_H

#include "lib/base/mem.h"
#include "lib/model/profile/lag.h"

#include <stdlib.h>

struct stall {
	struct intern names;
	struct lag_report report;
};

static inline int stall_begin(void **state)
{
	struct stall *stall = mem_zalloc(1, sizeof(*stall));

	lag_report_init(&stall->report, &stall->names);
	*state = stall;
	return 0;
}

static inline int stall_end(void **state)
{
	struct stall *stall = *state;

	lag_report_release(&stall->report);
	intern_release(&stall->names);
	free(stall);
	return 0;
}

/** A test whose state is a fresh `struct stall`. */
#define IN_STALL(test) \
	cmocka_unit_test_setup_teardown(test, stall_begin, stall_end)

#endif
