#include "lib/analysis/session/exit_reason.h"

#include "lib/base/mem.h"
#include "lib/base/number.h"
#include "lib/base/sorted.h"
#include "lib/base/str.h"
#include "lib/base/timestamp.h"
#include "lib/base/units.h"
#include "lib/model/jetsam_answer.h"

#include <inttypes.h>
#include <stdlib.h>
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

/**
 * The system takes the time of the boot again from the clock and the time it
 * has been up, each time that the clock is corrected (kern.boottime of xnu): by
 * less than a boot takes, it is the same boot.
 */
#define BOOT_SLACK_MS 5000

/** Seconds above this are milliseconds: as seconds, it is the year 5138. */
#define SECONDS_MAX UINT64_C(100000000000)

/** Seconds or milliseconds since 1970, or a date. */
static bool read_time(const char *text, int64_t *ret_ms)
{
	uint64_t ms;

	if (timestamp_parse(text_from(text), ret_ms))
		return true;
	if (!units_read(text_from(text), 1000, SECONDS_MAX * 1000 * 1000, &ms))
		return false;
	if (ms >= SECONDS_MAX * 1000)
		ms /= 1000;
	*ret_ms = (int64_t)ms;
	return true;
}

static bool boots_differ(const char *then, const char *now)
{
	int64_t a, b;

	if (!read_time(then, &a) || !read_time(now, &b))
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
	if (rule->kind == RULE_CHANGE && rule->subject == SESSION_BOOT_TIME)
		return boots_differ(session->traits[rule->subject].then,
		                    session->traits[rule->subject].now);
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
                       bool reported, const char *title)
{
	const char *before = title;

	for (size_t i = 0; i < ARRAY_SIZE(rules); i++) {
		if (rules[i].kind == RULE_STATE ||
		    rule_is_told(&rules[i], session) != reported)
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
		ret->settled = !ret->likely;
		add_evidence(&evidence, rule, session);
	} else if (session->state_text) {
		str_addf(&evidence, "appState is %s", session->state_text);
	} else {
		str_add(&evidence, "appState is missing");
	}
	if (rule == end || ret->likely) {
		add_others(&evidence, session, true, "; ruled out: ");
		add_others(&evidence, session, false, "; missing: ");
	}
	ret->evidence = arena_text(arena, str_text(&evidence));
}

// Jetsam logs

/** What identifies a process: some of these, as far as they are known. */
enum trait {
	TRAIT_PID = 1 << 0,
	TRAIT_UUID = 1 << 1,
	TRAIT_NAME = 1 << 2,
	TRAIT_ALL = 7,
};

/** A victim of a log: what of it is needed to override a verdict. */
struct exit_kill {
	size_t order;    ///< of all
	int64_t time_ms; ///< of the log
	bool has_time;
	unsigned traits; ///< that the log gives
	uint64_t pid;
	struct uuid uuid;
	const char *name;
	enum jetsam_app_state app_state;
	bool was_suspended;
	const char *evidence;
};

/**
 * A kill under some of its traits. It is in the index once for each choice
 * that a record may be compared by.
 */
struct exit_key {
	unsigned traits; ///< that are compared
	const struct exit_kill *kill;
};

void exit_kills_release(struct exit_kills *kills)
{
	arena_release(&kills->arena);
	intern_release(&kills->incidents);
	free(kills->keys);
}

static void add_key(struct exit_kills *kills, unsigned traits,
                    const struct exit_kill *kill)
{
	if (traits & ~kill->traits)
		return;
	MEM_GROW(kills->keys, kills->count, kills->cap);
	kills->keys[kills->count++] = (struct exit_key){ traits, kill };
}

static void add_kill(struct exit_kills *kills, const struct report *log,
                     const char *path, const struct jetsam_victim *victim)
{
	const struct jetsam_process *process = victim->process;
	struct exit_kill *kill = arena_alloc(&kills->arena, sizeof(*kill));
	SCOPED(str_release) struct str evidence = { 0 };

	if (process->name)
		str_addf(&evidence, ": %s", process->name);
	if (process->pid.known)
		str_addf(&evidence, " [%" PRIu64 "]", process->pid.value);
	str_addf(&evidence, ", reason %s", process->reason);
	if (victim->evidence)
		str_addf(&evidence, ", %s", victim->evidence);
	str_addf(&evidence, ", in %s", path);
	if (log->date_time)
		str_addf(&evidence, " of %s", log->date_time);
	if (log->hardware_model)
		str_addf(&evidence, ", %s", log->hardware_model);
	*kill = (struct exit_kill){
		.order = kills->kill_count++,
		.traits = (process->pid.known ? TRAIT_PID : 0U) |
		          (uuid_is_zero(&process->uuid) ? 0U : TRAIT_UUID) |
		          (process->name ? TRAIT_NAME : 0U),
		.pid = process->pid.value,
		.uuid = process->uuid,
		.name = process->name
		                ? arena_strdup(&kills->arena, process->name)
		                : NULL,
		.app_state = victim->app_state,
		.was_suspended = process->states & JETSAM_SUSPENDED,
		.evidence = arena_text(&kills->arena, str_text(&evidence)),
	};
	kill->has_time =
	        log->date_time &&
	        timestamp_parse(text_from(log->date_time), &kill->time_ms);
	add_key(kills, TRAIT_PID | TRAIT_UUID, kill);
	add_key(kills, TRAIT_PID | TRAIT_NAME, kill);
	add_key(kills, TRAIT_PID, kill);
	add_key(kills, TRAIT_UUID, kill);
	add_key(kills, TRAIT_NAME, kill);
}

void exit_kills_add(struct exit_kills *kills, const struct report *log,
                    const char *path)
{
	const struct jetsam_answer *answer = log->jetsam_answer;
	uint32_t count = kills->incidents.count;

	if (log->incident && *log->incident && count < INTERN_MAX &&
	    intern_add(&kills->incidents, text_from(log->incident)) < count)
		return;
	for (size_t i = 0; i < answer->victim_count; i++)
		add_kill(kills, log, path, &answer->victims[i]);
	kills->is_sorted = false;
}

static int compare_number(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

/** All but the order: 0 is the same process as far as these traits go. */
static int compare_traits(const struct exit_key *a, const struct exit_key *b)
{
	int order = compare_number(a->traits, b->traits);

	if (!order)
		order = compare_number(a->kill->traits, b->kill->traits);
	if (!order && a->traits & TRAIT_PID)
		order = compare_number(a->kill->pid, b->kill->pid);
	if (!order && a->traits & TRAIT_UUID)
		order = uuid_compare(&a->kill->uuid, &b->kill->uuid);
	if (!order && a->traits & TRAIT_NAME)
		order = strcmp(a->kill->name, b->kill->name);
	return order;
}

/** The newest first, then in the order they came. */
static int compare_kills(const struct exit_kill *a, const struct exit_kill *b)
{
	if (a->has_time != b->has_time)
		return a->has_time ? -1 : 1;
	if (a->has_time && a->time_ms != b->time_ms)
		return a->time_ms > b->time_ms ? -1 : 1;
	return compare_number(a->order, b->order);
}

static int compare_keys(const void *left, const void *right)
{
	const struct exit_key *a = left;
	const struct exit_key *b = right;
	int order = compare_traits(a, b);

	return order ? order : compare_kills(a->kill, b->kill);
}

/** What fits a record. */
struct match {
	const struct exit_key *key; ///< the first; NULL: none
	size_t count;
};

/** Add what has the traits of @p wanted. */
static void add_matches(const struct exit_kills *kills,
                        const struct exit_key *wanted, struct match *match)
{
	const struct exit_key *keys = kills->keys;
	size_t first = SORTED_SKIP(i, kills->count,
	                           compare_traits(&keys[i], wanted) < 0);
	size_t end = SORTED_SKIP(i, kills->count,
	                         compare_traits(&keys[i], wanted) <= 0);
	const struct exit_key *key = &keys[first];

	if (first == end)
		return;
	match->count += end - first;
	if (!match->key || compare_kills(key->kill, match->key->kill) < 0)
		match->key = key;
}

/** A log may have truncated the name: after so many characters
 * (formats.md 4.2). */
static void find_name(const struct exit_kills *kills, const char *name,
                      struct exit_kill *kill, struct exit_key *wanted,
                      struct match *match)
{
	static const size_t cuts[] = { 15, 16, 31, 32 };
	size_t size = strlen(name);
	char cut[33];

	kill->name = name;
	add_matches(kills, wanted, match);
	for (size_t i = 0; i < ARRAY_SIZE(cuts) && cuts[i] < size; i++) {
		memcpy(cut, name, cuts[i]);
		cut[cuts[i]] = '\0';
		kill->name = cut;
		add_matches(kills, wanted, match);
	}
	kill->name = NULL;
}

/**
 * By what a record and a kill are compared, if each has these traits: by all
 * that both have, but a UUID makes the name needless. 0: by nothing.
 */
static unsigned traits_to_compare(unsigned record, unsigned kill)
{
	unsigned both = record & kill;

	return both & TRAIT_UUID ? both & ~(unsigned)TRAIT_NAME : both;
}

static struct match find_kills(const struct exit_kills *kills,
                               const struct session *session)
{
	const char *uuid = session->traits[SESSION_APP_UUID].then;
	struct exit_kill kill = { .pid = session->pid };
	struct exit_key wanted = { .kill = &kill };
	struct match match = { 0 };
	unsigned reported = (session->has_pid ? TRAIT_PID : 0U) |
	                    (session->app_name ? TRAIT_NAME : 0U);

	if (uuid && uuid_parse(text_from(uuid), &kill.uuid) &&
	    !uuid_is_zero(&kill.uuid))
		reported |= TRAIT_UUID;
	for (kill.traits = 1; kill.traits <= TRAIT_ALL; kill.traits++) {
		wanted.traits = traits_to_compare(reported, kill.traits);
		if (wanted.traits & TRAIT_NAME)
			find_name(kills, session->app_name, &kill, &wanted,
			          &match);
		else if (wanted.traits)
			add_matches(kills, &wanted, &match);
	}
	return match;
}

/** Where the log does not say in which app state it was, the record may. */
static enum exit_reason judge_kill(const struct session *session,
                                   const struct exit_kill *kill)
{
	if (kill->app_state == JETSAM_APP_STATE_FOREGROUND)
		return EXIT_REASON_FOOM;
	if (kill->was_suspended)
		return EXIT_REASON_SUSPENDED_KILL;
	if (kill->app_state == JETSAM_APP_STATE_BACKGROUND)
		return EXIT_REASON_BOOM;
	for (size_t i = 0; i < ARRAY_SIZE(rules); i++)
		if (rules[i].kind == RULE_STATE &&
		    rule_holds(&rules[i], session))
			return rules[i].reason;
	return EXIT_REASON_UNKNOWN;
}

bool exit_reason_use_logs(const struct session *session,
                          struct exit_kills *kills, struct arena *arena,
                          struct exit_answer *answer)
{
	static const char *const names[TRAIT_ALL + 1] = {
		[TRAIT_PID] = "pid",
		[TRAIT_UUID] = "UUID",
		[TRAIT_NAME] = "name",
		[TRAIT_PID | TRAIT_UUID] = "pid and UUID",
		[TRAIT_PID | TRAIT_NAME] = "pid and name",
	};
	const struct exit_key *key;
	const char *others = "";
	struct match match;

	if (!kills->is_sorted && kills->count)
		qsort(kills->keys, kills->count, sizeof(*kills->keys),
		      compare_keys);
	kills->is_sorted = true;
	match = find_kills(kills, session);
	key = match.key;
	// Of one name there are many sessions: it settles nothing.
	if (!key || (key->traits == TRAIT_NAME && answer->settled))
		return false;
	answer->reason = judge_kill(session, key->kill);
	// Ids are given out again, and a build has many sessions.
	answer->likely = key->traits == TRAIT_NAME ||
	                 key->traits == TRAIT_PID || match.count > 1;
	if (match.count > 1)
		others = arena_printf(arena, "; %zu logs match, this is the %s",
		                      match.count,
		                      key->kill->has_time ? "newest" : "first");
	answer->evidence =
	        arena_printf(arena,
	                     "killed according to a jetsam log (same "
	                     "%s)%s%s",
	                     names[key->traits], key->kill->evidence, others);
	return true;
}
