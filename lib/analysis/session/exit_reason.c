// SPDX-License-Identifier: MIT
#include "lib/analysis/session/exit_reason.h"

#include "lib/base/number.h"
#include "lib/base/str.h"
#include "lib/base/timestamp.h"
#include "lib/base/units.h"
#include "lib/model/app_name.h"
#include "lib/model/jetsam_answer.h"

#include <inttypes.h>
#include <string.h>

const char *exit_reason_name(enum exit_reason reason)
{
	static const char *const names[] = {
		[EXIT_REASON_UNKNOWN] = "unknown",
		[EXIT_REASON_UPDATE] = "update",
		[EXIT_REASON_OS_UPDATE] = "OS update",
		[EXIT_REASON_REBOOT] = "reboot",
		[EXIT_REASON_CRASH] = "crash",
		[EXIT_REASON_USER_QUIT] = "user quit",
		[EXIT_REASON_EXIT] = "exit",
		[EXIT_REASON_BACKGROUND_LAUNCH] = "background launch",
		[EXIT_REASON_STALL_KILL] = "stall kill",
		[EXIT_REASON_FOOM] = "FOOM",
		[EXIT_REASON_BOOM] = "BOOM",
		[EXIT_REASON_SUSPENDED_KILL] = "suspended kill",
		[EXIT_REASON_SYSTEM_KILL] = "system kill",
	};

	return names[reason];
}

// The rule

enum rule_kind {
	RULE_FLAG,
	RULE_CHANGE,
	RULE_TYPE,  ///< result of the recorder itself
	RULE_STACK, ///< that the recorder kept
	RULE_STATE,
};

/** The first rule that applies decides. */
static const struct rule {
	enum rule_kind kind;
	unsigned subject; ///< a session_flag, _trait, _stack or _state
	enum exit_reason reason;
} rules[] = {
	// Under a debugger or a test, ends are not the user's.
	{ RULE_FLAG, SESSION_DEBUGGED, EXIT_REASON_UNKNOWN },
	{ RULE_FLAG, SESSION_TESTED, EXIT_REASON_UNKNOWN },
	// A crashed app may have been updated before the next launch.
	{ RULE_FLAG, SESSION_CRASHED, EXIT_REASON_CRASH },
	{ RULE_FLAG, SESSION_REINSTALLED, EXIT_REASON_UPDATE },
	{ RULE_FLAG, SESSION_APP_UPDATED, EXIT_REASON_UPDATE },
	{ RULE_CHANGE, SESSION_APP_VERSION, EXIT_REASON_UPDATE },
	{ RULE_CHANGE, SESSION_APP_UUID, EXIT_REASON_UPDATE },
	{ RULE_FLAG, SESSION_OS_UPDATED, EXIT_REASON_OS_UPDATE },
	{ RULE_CHANGE, SESSION_OS_VERSION, EXIT_REASON_OS_UPDATE },
	{ RULE_FLAG, SESSION_REBOOTED, EXIT_REASON_REBOOT },
	{ RULE_CHANGE, SESSION_BOOT_TIME, EXIT_REASON_REBOOT },
	// A user who quits an app that hangs has ended it: hangs come later.
	{ RULE_FLAG, SESSION_USER_QUIT, EXIT_REASON_USER_QUIT },
	{ RULE_FLAG, SESSION_EXITED, EXIT_REASON_EXIT },
	{ RULE_FLAG, SESSION_BACKGROUND_LAUNCH, EXIT_REASON_BACKGROUND_LAUNCH },
	{ RULE_FLAG, SESSION_STALLED, EXIT_REASON_STALL_KILL },
	{ RULE_TYPE, 0, EXIT_REASON_STALL_KILL },
	{ RULE_STACK, SESSION_STALL_STACK, EXIT_REASON_STALL_KILL },
	{ RULE_TYPE, 0, EXIT_REASON_FOOM },
	{ RULE_STACK, SESSION_MEMORY_STACK, EXIT_REASON_FOOM },
	{ RULE_STATE, SESSION_FOREGROUND, EXIT_REASON_FOOM },
	{ RULE_STATE, SESSION_BACKGROUND, EXIT_REASON_BOOM },
	{ RULE_STATE, SESSION_SUSPENDED, EXIT_REASON_SUSPENDED_KILL },
};

/**
 * The system recomputes the boot time from clock and uptime whenever the clock
 * is corrected (kern.boottime of XNU): if it differs by less than a boot takes,
 * it is the same boot.
 */
#define BOOT_SLACK_MS 5000

static bool boots_differ(const char *then, const char *now)
{
	int64_t a, b;

	if (!session_time(then, &a) || !session_time(now, &b))
		return strcmp(then, now) != 0;
	return a > b + BOOT_SLACK_MS || b > a + BOOT_SLACK_MS;
}

/** Recorders write UUIDs with dashes and without, in both cases. */
static bool traits_differ(const char *then, const char *now)
{
	struct uuid a, b;

	if (uuid_parse(text_from(then), &a) && uuid_parse(text_from(now), &b))
		return !uuid_equal(&a, &b);
	return strcmp(then, now) != 0;
}

/** Does the record have the rule's value? */
static bool rule_is_said(const struct rule *rule, const struct session *session)
{
	if (rule->kind == RULE_FLAG)
		return session->flags[rule->subject].has_value;
	if (rule->kind == RULE_CHANGE)
		return session->traits[rule->subject].then &&
		       session->traits[rule->subject].now;
	if (rule->kind == RULE_TYPE)
		return session->crash_type;
	if (rule->kind == RULE_STACK)
		return session->stacks[rule->subject].first;
	return session->state_text;
}

/** Does the record state it, rather than leave it by elimination? */
static bool rule_is_stated(const struct rule *rule)
{
	return rule->kind == RULE_FLAG || rule->kind == RULE_CHANGE;
}

/** Does the record have values for this cause? */
static bool cause_is_said(enum exit_reason reason,
                          const struct session *session)
{
	for (size_t i = 0; i < ARRAY_SIZE(rules); i++)
		if (rules[i].reason == reason && rule_is_stated(&rules[i]) &&
		    // An app is updated in other ways, too.
		    !(rules[i].kind == RULE_FLAG &&
		      rules[i].subject == SESSION_REINSTALLED) &&
		    rule_is_said(&rules[i], session))
			return true;
	return false;
}

/** In the background, an idle main thread is normal. */
static bool may_stall(const struct session *session)
{
	return !session->state_text || session->state == SESSION_FOREGROUND;
}

/** A hang that does not count is not ruled out. */
static bool rule_is_out(const struct rule *rule, const struct session *session)
{
	return rule_is_stated(rule) && rule_is_said(rule, session) &&
	       !(rule->kind == RULE_FLAG &&
	         session->flags[rule->subject].value);
}

static bool is_anything_out(const struct session *session)
{
	for (size_t i = 0; i < ARRAY_SIZE(rules); i++)
		if (rules[i].reason != EXIT_REASON_UNKNOWN &&
		    rule_is_out(&rules[i], session))
			return true;
	return false;
}

static bool type_is(const struct session *session, enum exit_reason reason)
{
	return !strcmp(session->crash_type, reason == EXIT_REASON_FOOM
	                                            ? "foom_crash"
	                                            : "deadlock_crash");
}

static bool rule_holds(const struct rule *rule, const struct session *session)
{
	if (!rule_is_said(rule, session) ||
	    (rule->reason == EXIT_REASON_STALL_KILL && !may_stall(session)))
		return false;
	if (rule->kind == RULE_TYPE)
		return type_is(session, rule->reason);
	// The flag itself shows whether it was hanging.
	if (rule->kind == RULE_STACK)
		return rule->subject != SESSION_STALL_STACK ||
		       !session->flags[SESSION_STALLED].has_value;
	if (rule->kind == RULE_FLAG)
		return session->flags[rule->subject].value;
	if (rule->kind == RULE_CHANGE && rule->subject == SESSION_BOOT_TIME)
		return boots_differ(session->traits[rule->subject].then,
		                    session->traits[rule->subject].now);
	if (rule->kind == RULE_CHANGE)
		return traits_differ(session->traits[rule->subject].then,
		                     session->traits[rule->subject].now);
	return session->state == rule->subject;
}

static const char *rule_key(const struct rule *rule,
                            const struct session *session)
{
	if (rule->kind != RULE_FLAG)
		return session_trait_key(rule->subject);
	return session->flags[rule->subject].key
	               ? session->flags[rule->subject].key
	               : session_flag_key(rule->subject);
}

// Evidence

static void add_evidence(struct str *out, const struct rule *rule,
                         const struct session *session)
{
	if (rule->kind == RULE_FLAG && rule->subject == SESSION_STALLED)
		str_addf(out, "the main thread was hanging: %s is true",
		         rule_key(rule, session));
	else if (rule->kind == RULE_FLAG)
		str_addf(out, "%s is true", rule_key(rule, session));
	else if (rule->kind == RULE_CHANGE)
		str_addf(out, "%s was %s, is %s", rule_key(rule, session),
		         session->traits[rule->subject].then,
		         session->traits[rule->subject].now);
	else if (rule->kind == RULE_TYPE)
		str_addf(out, "crash_type is %s", session->crash_type);
	else if (rule->kind == RULE_STATE)
		str_addf(out, "appState is %s", session->state_text);
}

/** The stack of a hang, or of memory, if there is one. */
static void add_stack(struct str *out, enum exit_reason reason,
                      const struct session *session)
{
	enum session_stack stack = reason == EXIT_REASON_STALL_KILL
	                                   ? SESSION_STALL_STACK
	                                   : SESSION_MEMORY_STACK;

	if ((reason != EXIT_REASON_STALL_KILL && reason != EXIT_REASON_FOOM) ||
	    !session->stacks[stack].first)
		return;
	str_addf(out, "%s%s has %zu line%s, the first '%s'",
	         out->size ? "; " : "", session->stacks[stack].key,
	         session->stacks[stack].count,
	         text_plural(session->stacks[stack].count),
	         session->stacks[stack].first);
}

/** Why a flag does not count. */
static void add_idle_stall(struct str *out, const struct session *session)
{
	if (session->flags[SESSION_STALLED].value && !may_stall(session))
		str_addf(out, "; %s counts in the foreground only",
		         session_flag_key(SESSION_STALLED));
}

/** Are all causes before the rule, except its own, ruled out? */
static bool others_are_said(const struct rule *rule,
                            const struct session *session)
{
	for (const struct rule *r = rules; r < rule; r++)
		if (rule_is_stated(r) && r->reason != EXIT_REASON_UNKNOWN &&
		    r->reason != rule->reason &&
		    !cause_is_said(r->reason, session))
			return false;
	return true;
}

/** Only statements of the record are certain. */
static bool rule_is_likely(const struct rule *rule,
                           const struct session *session)
{
	if (rule->reason == EXIT_REASON_UNKNOWN)
		return false;
	return !rule_is_stated(rule) || !others_are_said(rule, session) ||
	       (rule->reason == EXIT_REASON_STALL_KILL && !session->state_text);
}

/** Would the rule have decided before @p end, if the record had its value? */
static bool rule_precedes(const struct rule *rule, const struct rule *end,
                          const struct session *session)
{
	if (end == rules + ARRAY_SIZE(rules) || !rule_is_stated(end))
		return true;
	// Only causes that make the result uncertain matter.
	return rule->reason != end->reason &&
	       rule->reason != EXIT_REASON_UNKNOWN &&
	       (rule_is_said(rule, session) ||
	        !cause_is_said(rule->reason, session));
}

/** The causes that are ruled out, or those without a value. */
static void add_others(struct str *out, const struct session *session,
                       const struct rule *end, bool reported, const char *title)
{
	const char *before = title;

	for (const struct rule *r = rules; r < end; r++) {
		if (!rule_is_stated(r) || !rule_precedes(r, end, session) ||
		    rule_is_said(r, session) != reported ||
		    (reported && !rule_is_out(r, session)))
			continue;
		str_addf(out, "%s%s", before, rule_key(r, session));
		before = ", ";
	}
	if (!reported && end < rules + ARRAY_SIZE(rules) &&
	    end->reason == EXIT_REASON_STALL_KILL && !session->state_text)
		str_addf(out, "%sappState", before);
}

/** The remaining cause, if at least one is ruled out. */
static const struct rule *find_rule(const struct session *session)
{
	const struct rule *rule = rules;
	const struct rule *end = rules + ARRAY_SIZE(rules);

	while (rule < end &&
	       (!rule_holds(rule, session) ||
	        (rule->kind == RULE_STATE && !is_anything_out(session))))
		rule++;
	return rule;
}

void exit_reason_of_session(const struct session *session, struct arena *arena,
                            struct exit_answer *ret)
{
	SCOPED(str_release) struct str evidence = { 0 };
	const struct rule *rule = find_rule(session);
	const struct rule *end = rules + ARRAY_SIZE(rules);

	*ret = (struct exit_answer){ .reason = EXIT_REASON_UNKNOWN };
	if (rule < end) {
		ret->reason = rule->reason;
		ret->likely = rule_is_likely(rule, session);
		ret->is_stated = rule_is_stated(rule);
		add_evidence(&evidence, rule, session);
		add_stack(&evidence, rule->reason, session);
	} else if (session->state_text) {
		str_addf(&evidence, "appState is %s%s", session->state_text,
		         session->state != SESSION_STATE_UNKNOWN
		                 ? ", and nothing is ruled out"
		                 : "");
	} else {
		str_add(&evidence, "appState is missing");
	}
	add_idle_stall(&evidence, session);
	if (rule == end || ret->likely) {
		add_others(&evidence, session, rule, true, "; ruled out: ");
		add_others(&evidence, session, rule, false, "; missing: ");
	}
	ret->evidence = arena_text(arena, str_text(&evidence));
}

// Jetsam logs

void exit_kills_release(struct exit_kills *kills)
{
	exit_index_release(&kills->victims);
	intern_release(&kills->incidents);
}

/** `Demo [612], reason …, in log.ips of …` */
static void describe_kill(const struct report *log, const char *path,
                          const struct jetsam_victim *victim, struct str *out)
{
	const struct jetsam_process *process = victim->process;

	if (process->name)
		str_addf(out, ": %s", process->name);
	if (process->pid.known)
		str_addf(out, " [%" PRIu64 "]", process->pid.value);
	str_addf(out, ", reason %s", process->reason);
	if (victim->evidence)
		str_addf(out, ", %s", victim->evidence);
	str_addf(out, ", in %s", path);
	if (log->date_time)
		str_addf(out, " of %s", log->date_time);
	if (log->hardware_model)
		str_addf(out, ", %s", log->hardware_model);
}

static void add_kill(struct exit_kills *kills, const struct report *log,
                     const char *path, const struct jetsam_victim *victim)
{
	const struct jetsam_process *process = victim->process;
	SCOPED(str_release) struct str evidence = { 0 };
	struct exit_process kill = {
		.traits =
		        (process->pid.known ? EXIT_TRAIT_PID : 0U) |
		        (uuid_is_zero(&process->uuid) ? 0U : EXIT_TRAIT_UUID) |
		        (process->name ? EXIT_TRAIT_NAME : 0U),
		.pid = process->pid.value,
		.uuid = process->uuid,
		.name = process->name,
		.path = path,
		.app_state = victim->app_state,
		.was_suspended = process->states & JETSAM_SUSPENDED,
	};

	describe_kill(log, path, victim, &evidence);
	kill.evidence = str_cstr(&evidence);
	kill.has_time =
	        log->date_time &&
	        timestamp_parse(text_from(log->date_time), &kill.time_ms);
	exit_index_add(&kills->victims, &kill);
}

void exit_kills_add(struct exit_kills *kills, const struct report *log,
                    const char *path)
{
	const struct jetsam_answer *answer = log->jetsam_answer;

	if (log->incident && *log->incident &&
	    kills->incidents.count < INTERN_MAX &&
	    !intern_add_new(&kills->incidents, text_from(log->incident)))
		return;
	for (size_t i = 0; i < answer->victim_count; i++)
		add_kill(kills, log, path, &answer->victims[i]);
}

enum exit_reason exit_reason_of_state(const struct session *session)
{
	for (size_t i = 0; i < ARRAY_SIZE(rules); i++)
		if (rules[i].kind == RULE_STATE &&
		    rule_holds(&rules[i], session))
			return rules[i].reason;
	return EXIT_REASON_UNKNOWN;
}

/** If the log has no app state, use the record's. */
static enum exit_reason judge_kill(const struct session *session,
                                   const struct exit_process *kill)
{
	if (kill->app_state == JETSAM_APP_STATE_FOREGROUND)
		return EXIT_REASON_FOOM;
	if (kill->was_suspended)
		return EXIT_REASON_SUSPENDED_KILL;
	if (kill->app_state == JETSAM_APP_STATE_BACKGROUND)
		return EXIT_REASON_BOOM;
	return exit_reason_of_state(session);
}

bool exit_reason_use_logs(const struct session *session,
                          struct exit_kills *kills, struct arena *arena,
                          struct exit_answer *answer)
{
	struct exit_match match = exit_index_find(&kills->victims, session);

	// A crash report knows better, but for a guess.
	if (answer->is_reported ||
	    !exit_match_counts(&match, answer->is_stated))
		return false;
	answer->reason = judge_kill(session, match.process);
	answer->likely = exit_match_is_likely(&match);
	answer->evidence = arena_printf(arena,
	                                "killed according to a jetsam log "
	                                "(same %s)%s%s",
	                                exit_traits_name(match.traits),
	                                match.process->evidence,
	                                exit_match_others(&match, arena));
	return true;
}

// Lag reports

bool exit_lags_take(const struct report *report)
{
	return !report->jetsam &&
	       (report->tree_count ||
	        (report->kind &&
	         text_starts(text_from(report->kind), "lag report")));
}

void exit_lags_add(struct exit_index *lags, const struct report *report,
                   const char *path)
{
	SCOPED(str_release) struct str evidence = { 0 };
	struct exit_process lag = {
		.pid = report->process.pid,
		.name = report->process.name,
		.path = path,
	};

	lag.traits = (report->process.has_pid ? EXIT_TRAIT_PID : 0U) |
	             (lag.name ? EXIT_TRAIT_NAME : 0U) |
	             (exit_main_uuid(report, &lag.uuid) ? EXIT_TRAIT_UUID : 0U);
	str_add(&evidence, path);
	if (report->origin)
		str_addf(&evidence, ", %s,", report->origin);
	if (report->date_time)
		str_addf(&evidence, " of %s", report->date_time);
	lag.evidence = str_cstr(&evidence);
	lag.has_time =
	        report->date_time &&
	        timestamp_parse(text_from(report->date_time), &lag.time_ms);
	lags->is_in_order = true;
	exit_index_add(lags, &lag);
}

void exit_lags_add_line(struct exit_index *lags, const char *path, size_t line,
                        const char *session_id, const char *app)
{
	SCOPED(str_release) struct str evidence = { 0 };
	SCOPED(str_release) struct str name = { 0 };
	struct exit_process lag = { .path = path, .session_id = session_id };

	if (app)
		str_add_text(&name, app_name_of(text_from(app)));
	if (name.size)
		lag.name = str_cstr(&name);
	lag.traits = (lag.name ? EXIT_TRAIT_NAME : 0U) |
	             (session_id ? EXIT_TRAIT_SESSION : 0U);
	str_addf(&evidence, "%s:%zu", path, line);
	lag.evidence = str_cstr(&evidence);
	lags->is_in_order = true;
	exit_index_add(lags, &lag);
}

void exit_reason_mark_lag(const struct session *session,
                          struct exit_index *lags, bool is_only_record,
                          struct arena *arena, struct exit_answer *answer)
{
	struct exit_match match = { 0 };
	const char *basis;

	if (answer->reason != EXIT_REASON_STALL_KILL)
		return;
	match = exit_index_find(lags, session);
	// Neither has a session: assume the only one.
	if (!match.process && is_only_record && !exit_session_traits(session))
		match = exit_index_newest(lags);
	if (!match.process)
		return;
	basis = exit_traits_name(match.traits);
	answer->stalled_to_death = match.process->path;
	answer->evidence = arena_printf(
	        arena,
	        "%s; %sstalled to death: the last of %zu lag report%s, %s "
	        "(%s%s)",
	        answer->evidence,
	        match.traits & EXIT_TRAIT_SESSION ? "" : "possibly ",
	        match.count, text_plural(match.count), match.process->evidence,
	        basis ? "same " : "",
	        basis ? basis : "the record does not identify its session");
}
