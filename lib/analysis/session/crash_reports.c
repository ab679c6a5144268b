// SPDX-License-Identifier: MIT
#include "lib/analysis/session/crash_reports.h"

#include "lib/analysis/crash/explain/explain.h"
#include "lib/base/str.h"
#include "lib/base/timestamp.h"

#include <inttypes.h>
#include <string.h>

/** Is it KSCrash's conclusion at the next launch? */
static bool is_guess(const struct report *report)
{
	const char *space = report->termination.namespace_name;

	return space && !strcmp(space, "KSCRASH");
}

bool exit_reports_take(const struct report *report)
{
	return !report->jetsam && !report_is_memory_record(report) &&
	       (!report->kind || is_guess(report));
}

/**
 * The exit reason for a cause (lib/analysis/crash/explain/causes.def); other
 * causes are crashes.
 */
static const struct {
	const char *cause;
	enum exit_reason reason; ///< EXIT_REASON_UNKNOWN: no evidence
} reasons[] = {
	{ "app-update", EXIT_REASON_UPDATE },
	{ "background-task", EXIT_REASON_SYSTEM_KILL },
	{ "clean-exit", EXIT_REASON_EXIT },
	{ "cpu-limit", EXIT_REASON_SYSTEM_KILL },
	{ "cpu-usage", EXIT_REASON_UNKNOWN },
	{ "disk-space", EXIT_REASON_UNKNOWN },
	{ "disk-writes-limit", EXIT_REASON_SYSTEM_KILL },
	{ "file-lock", EXIT_REASON_SYSTEM_KILL },
	{ "first-launch", EXIT_REASON_UNKNOWN },
	{ "force-quit", EXIT_REASON_USER_QUIT },
	{ "forced-reset", EXIT_REASON_REBOOT },
	{ "hang", EXIT_REASON_UNKNOWN },
	{ "inconclusive", EXIT_REASON_UNKNOWN },
	{ "kernel-panic", EXIT_REASON_REBOOT },
	{ "killed", EXIT_REASON_SYSTEM_KILL },
	{ "low-battery", EXIT_REASON_REBOOT },
	{ "main-thread-checker", EXIT_REASON_UNKNOWN },
	{ "memory-limit", EXIT_REASON_FOOM },
	{ "memory-pressure", EXIT_REASON_FOOM },
	{ "no-crash", EXIT_REASON_UNKNOWN },
	{ "os-update", EXIT_REASON_OS_UPDATE },
	{ "out-of-memory", EXIT_REASON_FOOM },
	{ "ports-limit", EXIT_REASON_SYSTEM_KILL },
	{ "reboot", EXIT_REASON_REBOOT },
	{ "system-termination", EXIT_REASON_SYSTEM_KILL },
	{ "thermal", EXIT_REASON_SYSTEM_KILL },
	{ "threads-limit", EXIT_REASON_SYSTEM_KILL },
	{ "unexplained", EXIT_REASON_UNKNOWN },
	{ "user-report", EXIT_REASON_UNKNOWN },
	{ "voip", EXIT_REASON_SYSTEM_KILL },
	{ "wakeups-limit", EXIT_REASON_SYSTEM_KILL },
	{ "watchdog", EXIT_REASON_STALL_KILL },
};

/** Of a resource, there are reports of processes that went on. */
static bool ended(const struct report *report)
{
	const char *type = report->exception.type;

	return !type || strcmp(type, "EXC_RESOURCE") != 0 ||
	       report->termination.namespace_name ||
	       report->termination.has_code;
}

static enum exit_reason reason_of(const struct report *report,
                                  const char *cause)
{
	if (!cause)
		return EXIT_REASON_UNKNOWN;
	for (size_t i = 0; i < ARRAY_SIZE(reasons); i++)
		if (!strcmp(reasons[i].cause, cause))
			return ended(report) ? reasons[i].reason
			                     : EXIT_REASON_UNKNOWN;
	return EXIT_REASON_CRASH;
}

static enum jetsam_app_state app_state_of(const char *role)
{
	static const struct {
		const char *role;
		enum jetsam_app_state state;
	} states[] = {
		{ "Foreground", JETSAM_APP_STATE_FOREGROUND },
		{ "Background", JETSAM_APP_STATE_BACKGROUND },
	};

	for (size_t i = 0; role && i < ARRAY_SIZE(states); i++)
		if (!strcmp(role, states[i].role))
			return states[i].state;
	return JETSAM_APP_STATE_UNKNOWN;
}

/** `: Demo [612], null-dereference, in demo.ips of …` */
static void describe(const struct report *report, const char *cause,
                     const char *path, struct str *out)
{
	str_add(out, ": ");
	if (report->process.name)
		str_add(out, report->process.name);
	if (report->process.has_pid)
		str_addf(out, " [%" PRIu64 "]", report->process.pid);
	str_addf(out, "%s%s, in %s",
	         report->process.name || report->process.has_pid ? ", " : "",
	         cause, path);
	if (report->origin)
		str_addf(out, ", %s", report->origin);
	if (report->date_time)
		str_addf(out, " of %s", report->date_time);
}

void exit_reports_add(struct exit_index *index, const struct report *report,
                      struct crash_functions *functions, const char *path,
                      struct arena *arena)
{
	const char *cause = explain_report(report, functions, arena)->cause;
	enum exit_reason reason = reason_of(report, cause);
	SCOPED(str_release) struct str evidence = { 0 };
	struct exit_process process = {
		.pid = report->process.pid,
		.name = report->process.name,
		.path = path,
		.reason = reason,
		.is_guess = is_guess(report),
		.app_state = app_state_of(report->role),
	};

	if (reason == EXIT_REASON_UNKNOWN)
		return;
	process.traits =
	        (report->process.has_pid ? EXIT_TRAIT_PID : 0U) |
	        (process.name ? EXIT_TRAIT_NAME : 0U) |
	        (exit_main_uuid(report, &process.uuid) ? EXIT_TRAIT_UUID : 0U);
	describe(report, cause, path, &evidence);
	process.evidence = str_cstr(&evidence);
	process.has_time =
	        report->date_time &&
	        timestamp_parse(text_from(report->date_time), &process.time_ms);
	exit_index_add(index, &process);
}

/** Memory ends an app in the background differently. */
static enum exit_reason judge(const struct session *session,
                              const struct exit_process *report)
{
	if (report->reason != EXIT_REASON_FOOM ||
	    report->app_state == JETSAM_APP_STATE_FOREGROUND)
		return (enum exit_reason)report->reason;
	return report->app_state == JETSAM_APP_STATE_BACKGROUND
	               ? EXIT_REASON_BOOM
	               : exit_reason_of_state(session);
}

bool exit_reason_use_reports(const struct session *session,
                             struct exit_index *index, struct arena *arena,
                             struct exit_answer *answer)
{
	struct exit_match match = exit_index_find(index, session);

	if (!exit_match_counts(&match, answer->is_stated))
		return false;
	answer->reason = judge(session, match.process);
	answer->likely = exit_match_is_likely(&match) ||
	                 match.process->is_guess ||
	                 answer->reason == EXIT_REASON_UNKNOWN;
	answer->is_reported = !match.process->is_guess;
	answer->evidence = arena_printf(
	        arena, "%s according to %s (same %s%s)%s%s",
	        exit_reason_name(answer->reason),
	        match.process->is_guess ? "KSCrash at the next launch"
	                                : "a crash report",
	        exit_traits_name(match.traits),
	        match.is_in_session ? ", in the time of the session" : "",
	        match.process->evidence, exit_match_others(&match, arena));
	return true;
}
