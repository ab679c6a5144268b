/**
 * The fields of a report in numbers: struct crash_facts.
 */
#ifndef APMTOOL_LIB_ANALYSIS_CRASH_EXPLAIN_FACTS_H
#define APMTOOL_LIB_ANALYSIS_CRASH_EXPLAIN_FACTS_H

#include "lib/analysis/crash/explain/claims.h"

void explain_read_facts(struct explain *x);

#endif
