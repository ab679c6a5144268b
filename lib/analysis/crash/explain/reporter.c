// SPDX-License-Identifier: MIT
/*
 * Why the process ended according to a reporter. KSCrash concludes it at the
 * next launch from its last measurements; it did not see the end.
 */
#include "lib/analysis/crash/explain/steps.h"

#include "lib/base/text.h"

#include <string.h>

#define MEMORY_ADVICE                                                       \
	"look at what the app held in memory, and for a jetsam log of the " \
	"same time"

/** KSCrash's reasons: its KSTerminationReason.h, as of 2.6. */
static const struct reporter_reason {
	const char *word;
	enum cause cause;
	bool is_guess; ///< from the last measurements
	/** add "was killed" and the app state; else the verdict has it */
	bool is_kill;
	const char *verdict;
	const char *fields[2]; ///< fields with the measurements; or NULL
	const char *advice;
} reasons[] = {
	{ "memory_limit",
	  CAUSE_MEMORY_LIMIT,
	  true,
	  true,
	  "its memory reached the limit of the process (out of memory)",
	  { "Memory Level" },
	  MEMORY_ADVICE },
	{ "memory_pressure",
	  CAUSE_MEMORY_PRESSURE,
	  true,
	  true,
	  "the system was short of memory",
	  { "Memory Pressure", "Memory Level" },
	  MEMORY_ADVICE },
	{ "thermal",
	  CAUSE_THERMAL,
	  true,
	  true,
	  "the device was too hot",
	  { "Thermal State" },
	  "look for what uses CPU and GPU over long times" },
	{ "cpu",
	  CAUSE_CPU_LIMIT,
	  true,
	  true,
	  "it used too much CPU time",
	  { "CPU State", "CPU Usage" },
	  "look for work that does not end, and profile its CPU usage" },
	{ "low_battery",
	  CAUSE_LOW_BATTERY,
	  true,
	  true,
	  "the battery was empty and the device shut down",
	  { "Battery Level", "Battery State" },
	  NULL },
	{ "hang",
	  CAUSE_WATCHDOG,
	  true,
	  true,
	  "its main thread did not respond",
	  { "Hang Duration" },
	  "look for the report of the hang, of the same run" },
	{ "unexplained",
	  CAUSE_UNEXPLAINED,
	  false,
	  false,
	  "ended, and nothing that was recorded explains it: no crash, no "
	  "hang, no exit, no shortage",
	  { NULL },
	  "the user who forces it to quit, a debugger and the system leave no "
	  "other trace: compare how often it comes in each build and system" },
	{ "crash",
	  CAUSE_CRASHED,
	  false,
	  false,
	  "crashed; another report says how",
	  { NULL },
	  "look for the crash report of the same run" },
	{ "clean",
	  CAUSE_CLEAN_EXIT,
	  false,
	  false,
	  "ended by itself: no failure",
	  { NULL },
	  NULL },
	{ "first_launch",
	  CAUSE_FIRST_LAUNCH,
	  false,
	  false,
	  "was launched for the first time: nothing ended before",
	  { NULL },
	  NULL },
	{ "os_upgrade",
	  CAUSE_OS_UPDATE,
	  false,
	  false,
	  "is gone because the system was updated",
	  { NULL },
	  NULL },
	{ "app_upgrade",
	  CAUSE_APP_UPDATE,
	  false,
	  false,
	  "is gone because the app was updated",
	  { NULL },
	  NULL },
	{ "reboot",
	  CAUSE_REBOOT,
	  false,
	  false,
	  "is gone because the device was restarted",
	  { NULL },
	  NULL },
};

static const struct reporter_reason *find_reason(const char *word)
{
	for (size_t i = 0; i < ARRAY_SIZE(reasons); i++)
		if (!strcmp(reasons[i].word, word))
			return &reasons[i];
	return NULL;
}

/** The reporter's last measurements that concern the reason. */
static void claim_measures(struct explain *x,
                           const struct reporter_reason *reason)
{
	for (size_t i = 0; i < ARRAY_SIZE(reason->fields); i++) {
		const struct report_field *field =
		        reason->fields[i] ? explain_field(x, reason->fields[i])
		                          : NULL;

		if (!field || !*field->value)
			continue;
		explain_claim(x, CONFIDENCE_CERTAIN, "last measured: %s %s",
		              field->label, explain_quote(x, field->value));
		explain_cite(x, evidence_of_field(x, field));
	}
}

/** ` in the foreground`, if known. */
static const char *place_of(const struct explain *x)
{
	const char *role = x->report->role;

	if (text_same(role, "Foreground"))
		return " in the foreground";
	return text_same(role, "Background") ? " in the background" : "";
}

static void conclude(struct explain *x, const struct reporter_reason *reason)
{
	claim_measures(x, reason);
	explain_advise(x, reason->advice);
	if (reason->is_kill)
		explain_conclude(x, reason->cause, CONFIDENCE_LIKELY,
		                 "%s was killed%s, likely because %s",
		                 x->facts.process, place_of(x),
		                 reason->verdict);
	else
		explain_conclude(x, reason->cause, CONFIDENCE_CERTAIN, "%s %s",
		                 x->facts.process, reason->verdict);
}

/** A fatal hang has the watchdog's code, written by the reporter itself. */
static void claim_hang(struct explain *x)
{
	const struct report_termination *end = &x->report->termination;
	const struct report_field *duration = explain_field(x, "Hang Duration");

	if (!end->has_code || end->namespace_name || !duration ||
	    x->report->kind)
		return;
	explain_claim(x, CONFIDENCE_LIKELY,
	              "the reporter saw the main thread hang for %s until the "
	              "process was gone; the code is its own",
	              explain_quote(x, duration->value));
	explain_cite(x, evidence_of_field(x, duration));
}

void explain_reporter(struct explain *x)
{
	const struct report_termination *end = &x->report->termination;
	const struct reporter_reason *reason;

	claim_hang(x);
	if (!text_same(end->namespace_name, "KSCRASH") || !end->indicator)
		return;
	reason = find_reason(end->indicator);
	explain_claim(x,
	              reason && !reason->is_guess ? CONFIDENCE_CERTAIN
	                                          : CONFIDENCE_LIKELY,
	              "KSCrash found at the next launch: %s",
	              explain_quote(x, end->indicator));
	explain_cite(x, evidence_of(x, PLACE_INDICATOR));
	if (reason)
		conclude(x, reason);
	else
		explain_conclude(x, CAUSE_UNKNOWN, CONFIDENCE_CERTAIN,
		                 "inconclusive: KSCrash gives the reason '%s', "
		                 "which apmtool does not know",
		                 explain_quote(x, end->indicator));
}
