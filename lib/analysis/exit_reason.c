#include "lib/analysis/exit_reason.h"

#include "lib/base/str.h"

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
		[EXIT_REASON_STALL_KILL] = "stall kill",
		[EXIT_REASON_EXIT] = "exit",
		[EXIT_REASON_USER_QUIT] = "user quit",
		[EXIT_REASON_FOOM] = "FOOM",
		[EXIT_REASON_BOOM] = "BOOM",
		[EXIT_REASON_SUSPENDED_KILL] = "suspended kill",
	};

	return names[reason];
}

// The rule

enum rule_kind { RULE_FLAG, RULE_CHANGE, RULE_STATE };

/** The first that holds decides (formats.md 9.7). */
static const struct rule {
	enum rule_kind kind;
	unsigned subject; ///< a session_flag, session_trait or session_state
	enum exit_reason reason;
} rules[] = {
	// Under a debugger or a test, ends are not the user's.
	{ RULE_FLAG, SESSION_DEBUGGED, EXIT_REASON_UNKNOWN },
	{ RULE_FLAG, SESSION_TESTED, EXIT_REASON_UNKNOWN },
	{ RULE_FLAG, SESSION_REINSTALLED, EXIT_REASON_UPDATE },
	{ RULE_FLAG, SESSION_APP_UPDATED, EXIT_REASON_UPDATE },
	{ RULE_CHANGE, SESSION_APP_VERSION, EXIT_REASON_UPDATE },
	{ RULE_CHANGE, SESSION_APP_UUID, EXIT_REASON_UPDATE },
	{ RULE_FLAG, SESSION_OS_UPDATED, EXIT_REASON_OS_UPDATE },
	{ RULE_CHANGE, SESSION_OS_VERSION, EXIT_REASON_OS_UPDATE },
	{ RULE_FLAG, SESSION_REBOOTED, EXIT_REASON_REBOOT },
	{ RULE_CHANGE, SESSION_BOOT_TIME, EXIT_REASON_REBOOT },
	{ RULE_FLAG, SESSION_CRASHED, EXIT_REASON_CRASH },
	{ RULE_FLAG, SESSION_STALLED, EXIT_REASON_STALL_KILL },
	{ RULE_FLAG, SESSION_EXITED, EXIT_REASON_EXIT },
	{ RULE_FLAG, SESSION_USER_QUIT, EXIT_REASON_USER_QUIT },
	{ RULE_STATE, SESSION_FOREGROUND, EXIT_REASON_FOOM },
	{ RULE_STATE, SESSION_BACKGROUND, EXIT_REASON_BOOM },
	{ RULE_STATE, SESSION_SUSPENDED, EXIT_REASON_SUSPENDED_KILL },
};

/** Recorders write UUIDs with dashes and without, in both cases. */
static bool traits_differ(const char *then, const char *now)
{
	struct uuid a, b;

	if (uuid_parse(text_from(then), &a) && uuid_parse(text_from(now), &b))
		return !uuid_equal(&a, &b);
	return strcmp(then, now) != 0;
}

/** Does the record speak of what the rule asks? */
static bool rule_is_told(const struct rule *rule, const struct session *session)
{
	if (rule->kind == RULE_FLAG)
		return session->flags[rule->subject].has_value;
	if (rule->kind == RULE_CHANGE)
		return session->traits[rule->subject].then &&
		       session->traits[rule->subject].now;
	return session->state_text;
}

static bool rule_holds(const struct rule *rule, const struct session *session)
{
	if (!rule_is_told(rule, session))
		return false;
	if (rule->kind == RULE_FLAG)
		return session->flags[rule->subject].value;
	if (rule->kind == RULE_CHANGE)
		return traits_differ(session->traits[rule->subject].then,
		                     session->traits[rule->subject].now);
	return session->state == rule->subject;
}

static const char *rule_key(const struct rule *rule)
{
	return rule->kind == RULE_FLAG ? session_flag_key(rule->subject)
	                               : session_trait_key(rule->subject);
}

// Evidence

static void add_evidence(struct str *out, const struct rule *rule,
                         const struct session *session)
{
	if (rule->kind == RULE_FLAG)
		str_addf(out, "%s is true", rule_key(rule));
	else if (rule->kind == RULE_CHANGE)
		str_addf(out, "%s was %s, is %s", rule_key(rule),
		         session->traits[rule->subject].then,
		         session->traits[rule->subject].now);
	else
		str_addf(out, "appState is %s", session->state_text);
}

/** The causes that are ruled out, or those of which nothing is said. */
static void add_others(struct str *out, const struct session *session,
                       bool told, const char *title)
{
	const char *before = title;

	for (size_t i = 0; i < ARRAY_SIZE(rules); i++) {
		if (rules[i].kind == RULE_STATE ||
		    rule_is_told(&rules[i], session) != told)
			continue;
		str_addf(out, "%s%s", before, rule_key(&rules[i]));
		before = ", ";
	}
}

void exit_reason_of_session(const struct session *session, struct arena *arena,
                            struct exit_answer *ret)
{
	SCOPED(str_release) struct str evidence = { 0 };
	const struct rule *rule = rules;
	const struct rule *end = rules + ARRAY_SIZE(rules);

	while (rule < end && !rule_holds(rule, session))
		rule++;
	*ret = (struct exit_answer){ .reason = EXIT_REASON_UNKNOWN };
	if (rule < end) {
		ret->reason = rule->reason;
		ret->likely = rule->kind == RULE_STATE;
		add_evidence(&evidence, rule, session);
	} else if (session->state_text) {
		str_addf(&evidence, "appState is %s", session->state_text);
	} else {
		str_add(&evidence, "appState is not said");
	}
	if (rule == end || ret->likely) {
		add_others(&evidence, session, true, "; ruled out: ");
		add_others(&evidence, session, false, "; not said: ");
	}
	ret->evidence = arena_text(arena, str_text(&evidence));
}

// Jetsam logs

/** What two processes have in common; NULL: they are not the same. */
static const char *find_match(const struct session *session,
                              const struct jetsam_process *process)
{
	const char *text = session->traits[SESSION_APP_UUID].then;
	bool has_pids = session->has_pid && process->pid.known;
	struct uuid uuid;

	// Of one build there are many sessions, of one pid many processes.
	if (has_pids && session->pid != process->pid.value)
		return NULL;
	if (text && uuid_parse(text_from(text), &uuid) &&
	    !uuid_is_zero(&uuid) && !uuid_is_zero(&process->uuid))
		return !uuid_equal(&uuid, &process->uuid) ? NULL
		       : has_pids                         ? "pid and UUID"
		                                          : "UUID";
	if (!session->app_name || !process->name)
		return has_pids ? "pid" : NULL;
	// Logs cut names: to 16 characters up to iOS 8, then to 32.
	if (strncmp(session->app_name, process->name, strlen(process->name)) ||
	    (strlen(process->name) < 16 &&
	     strcmp(session->app_name, process->name) != 0))
		return NULL;
	return has_pids ? "pid and name" : "name";
}

/** Where the log does not say where it stood, the record may. */
static enum exit_reason judge_kill(const struct session *session,
                                   const struct jetsam_victim *victim)
{
	if (victim->stand == JETSAM_STAND_FOREGROUND)
		return EXIT_REASON_FOOM;
	if (victim->process->states & JETSAM_SUSPENDED)
		return EXIT_REASON_SUSPENDED_KILL;
	if (victim->stand == JETSAM_STAND_BACKGROUND)
		return EXIT_REASON_BOOM;
	for (size_t i = 0; i < ARRAY_SIZE(rules); i++)
		if (rules[i].kind == RULE_STATE &&
		    rule_holds(&rules[i], session))
			return rules[i].reason;
	return EXIT_REASON_UNKNOWN;
}

bool exit_reason_heed_log(const struct session *session,
                          const struct jetsam *log, struct arena *arena,
                          struct exit_answer *answer)
{
	for (size_t i = 0; i < log->victim_count; i++) {
		const struct jetsam_victim *victim = &log->victims[i];
		const struct jetsam_process *process = victim->process;
		const char *match = find_match(session, process);
		SCOPED(str_release) struct str evidence = { 0 };

		if (!match)
			continue;
		str_addf(&evidence, "a jetsam log has it killed (same %s)",
		         match);
		if (process->name)
			str_addf(&evidence, ": %s", process->name);
		if (process->pid.known)
			str_addf(&evidence, " [%" PRIu64 "]",
			         process->pid.value);
		str_addf(&evidence, ", reason %s", process->reason);
		if (victim->evidence)
			str_addf(&evidence, ", %s", victim->evidence);
		answer->reason = judge_kill(session, victim);
		answer->likely = false;
		answer->evidence = arena_text(arena, str_text(&evidence));
		return true;
	}
	return false;
}
