#include "lib/analysis/crash/explain/explain.h"

#include "lib/analysis/crash/explain/facts.h"
#include "lib/analysis/crash/explain/steps.h"

const struct explanation *explain_report(const struct report *report,
                                         struct arena *arena)
{
	static void (*const subjects[])(struct explain * x) = {
		explain_waits,      explain_no_crash,    explain_jetsam,
		explain_watchdog,   explain_termination, explain_resource,
		explain_guard,      explain_deadlock,    explain_overflow,
		explain_thrown,     explain_graphics,    explain_hardware,
		explain_corruption, explain_arithmetic,  explain_zombie,
		explain_address,    explain_messages,    explain_exception,
		explain_launch,     explain_where,
	};
	struct explanation *answer = arena_alloc(arena, sizeof(*answer));
	struct explain x = { .report = report,
		             .arena = arena,
		             .answer = answer };

	answer->report = report;
	explain_read_facts(&x);
	for (size_t i = 0; i < ARRAY_SIZE(subjects); i++)
		subjects[i](&x);
	explain_conclude(&x, CAUSE_UNKNOWN, CONFIDENCE_CERTAIN,
	                 "inconclusive: the report does not say why %s ended",
	                 x.facts.process);
	explain_drop_unproven(&x);
	return answer;
}
