// SPDX-License-Identifier: MIT
#include "lib/analysis/session/process_index.h"

#include "lib/base/mem.h"
#include "lib/base/number.h"
#include "lib/base/sorted.h"

#include <stdlib.h>
#include <string.h>

/**
 * A process under some of its traits. It has one entry for each combination
 * that a record may be compared by.
 */
struct exit_key {
	unsigned traits; ///< traits to compare
	const struct exit_process *process;
};

void exit_index_release(struct exit_index *index)
{
	arena_release(&index->arena);
	free(index->keys);
}

static void add_key(struct exit_index *index, unsigned traits,
                    const struct exit_process *process)
{
	if (traits & ~process->traits)
		return;
	MEM_GROW(index->keys, index->count, index->cap);
	index->keys[index->count++] = (struct exit_key){ traits, process };
}

void exit_index_add(struct exit_index *index,
                    const struct exit_process *process)
{
	static const unsigned choices[] = {
		EXIT_TRAIT_SESSION,
		EXIT_TRAIT_PID | EXIT_TRAIT_UUID,
		EXIT_TRAIT_PID | EXIT_TRAIT_NAME,
		EXIT_TRAIT_PID,
		EXIT_TRAIT_UUID,
		EXIT_TRAIT_NAME,
		0, // of a process that has no traits, too
	};
	struct exit_process *copy = arena_alloc(&index->arena, sizeof(*copy));
	size_t order = index->process_count++;

	*copy = *process;
	copy->order = index->is_in_order ? SIZE_MAX - order : order;
	copy->name = arena_strdup(&index->arena, process->name);
	copy->session_id = arena_strdup(&index->arena, process->session_id);
	copy->path = arena_strdup(&index->arena, process->path);
	copy->evidence = arena_strdup(&index->arena, process->evidence);
	for (size_t i = 0; i < ARRAY_SIZE(choices); i++)
		add_key(index, choices[i], copy);
	index->is_sorted = false;
}

// Order

/** All except the order: 0 is the same process by these traits. */
static int compare_traits(const struct exit_key *a, const struct exit_key *b)
{
	const struct exit_process *x = a->process;
	const struct exit_process *y = b->process;
	int order = number_compare(a->traits, b->traits);

	if (!order)
		order = number_compare(x->traits, y->traits);
	if (!order && a->traits & EXIT_TRAIT_SESSION)
		order = strcmp(x->session_id, y->session_id);
	if (!order && a->traits & EXIT_TRAIT_PID)
		order = number_compare(x->pid, y->pid);
	if (!order && a->traits & EXIT_TRAIT_UUID)
		order = uuid_compare(&x->uuid, &y->uuid);
	if (!order && a->traits & EXIT_TRAIT_NAME)
		order = strcmp(x->name, y->name);
	return order;
}

/** The newest first, then in their order. */
static int compare_processes(const struct exit_process *a,
                             const struct exit_process *b)
{
	if (a->has_time != b->has_time)
		return a->has_time ? -1 : 1;
	if (a->has_time && a->time_ms != b->time_ms)
		return a->time_ms > b->time_ms ? -1 : 1;
	return number_compare(a->order, b->order);
}

static int compare_keys(const void *left, const void *right)
{
	const struct exit_key *a = left;
	const struct exit_key *b = right;
	int order = compare_traits(a, b);

	return order ? order : compare_processes(a->process, b->process);
}

// Search

/** A report is written while its process ends, a log a little later. */
#define LATE_MS 60000
/** The app's launch time is later than the system's. */
#define EARLY_MS 5000

/** Time range in which the process ended, if known. */
struct window {
	int64_t first_ms;
	int64_t last_ms;
	bool is_closed; ///< both ends are known
};

static struct window window_of(const struct session *session)
{
	struct window window = {
		INT64_MIN,
		INT64_MAX,
		session->has_launch && session->has_end,
	};

	if (session->has_launch && session->launch_ms > INT64_MIN + EARLY_MS)
		window.first_ms = session->launch_ms - EARLY_MS;
	if (session->has_end && session->end_ms < INT64_MAX - LATE_MS)
		window.last_ms = session->end_ms + LATE_MS;
	return window;
}

/** Search criteria. */
struct wanted {
	struct exit_key key;
	struct window window;
};

/** Keys with the same traits: newest first, without time last. */
static size_t skip_later(const struct exit_key *keys, size_t count, int64_t ms)
{
	return SORTED_SKIP(i, count,
	                   keys[i].process->has_time &&
	                           keys[i].process->time_ms > ms);
}

static size_t skip_timed(const struct exit_key *keys, size_t count, int64_t ms)
{
	return SORTED_SKIP(i, count,
	                   keys[i].process->has_time &&
	                           keys[i].process->time_ms >= ms);
}

/** Add processes with the traits of @p wanted, and a matching time. */
static void add_matches(const struct exit_index *index,
                        const struct wanted *wanted, struct exit_match *match)
{
	const struct exit_key *keys = index->keys;
	size_t first = SORTED_SKIP(i, index->count,
	                           compare_traits(&keys[i], &wanted->key) < 0);
	size_t all = SORTED_SKIP(i, index->count,
	                         compare_traits(&keys[i], &wanted->key) <= 0) -
	             first;
	const struct window *window = &wanted->window;
	size_t later = skip_later(keys + first, all, window->last_ms);
	size_t timed = skip_timed(keys + first, all, window->first_ms);
	size_t untimed = skip_timed(keys + first, all, INT64_MIN);
	const struct exit_key *key;

	if (timed == later && untimed == all)
		return;
	key = &keys[first + (timed > later ? later : untimed)];
	match->count += timed - later + all - untimed;
	if (match->process &&
	    compare_processes(key->process, match->process) >= 0)
		return;
	match->process = key->process;
	match->traits = key->traits;
	match->is_in_session = key->process->has_time && window->is_closed;
}

/** A log may truncate the name after this number of characters. */
static void find_name(const struct exit_index *index, const char *name,
                      struct exit_process *process, const struct wanted *wanted,
                      struct exit_match *match)
{
	static const size_t cuts[] = { 15, 16, 31, 32 };
	size_t size = strlen(name);
	char cut[33];

	process->name = name;
	add_matches(index, wanted, match);
	for (size_t i = 0; i < ARRAY_SIZE(cuts) && cuts[i] < size; i++) {
		memcpy(cut, name, cuts[i]);
		cut[cuts[i]] = '\0';
		process->name = cut;
		add_matches(index, wanted, match);
	}
	process->name = NULL;
}

/**
 * The traits to compare a record and a process by: all common ones, but some
 * make others unnecessary. 0: none.
 */
static unsigned traits_to_compare(unsigned record, unsigned process)
{
	unsigned both = record & process;

	if (both & EXIT_TRAIT_SESSION)
		return EXIT_TRAIT_SESSION;
	return both & EXIT_TRAIT_UUID ? both & ~(unsigned)EXIT_TRAIT_NAME
	                              : both;
}

static bool uuid_of(const struct session *session, struct uuid *ret)
{
	const char *uuid = session->traits[SESSION_APP_UUID].then;

	return uuid && uuid_parse(text_from(uuid), ret) && !uuid_is_zero(ret);
}

unsigned exit_session_traits(const struct session *session)
{
	struct uuid uuid;

	return (session->has_pid ? EXIT_TRAIT_PID : 0U) |
	       (session->app_name ? EXIT_TRAIT_NAME : 0U) |
	       (session->session_id ? EXIT_TRAIT_SESSION : 0U) |
	       (uuid_of(session, &uuid) ? EXIT_TRAIT_UUID : 0U);
}

struct exit_match exit_index_find(struct exit_index *index,
                                  const struct session *session)
{
	struct exit_process process = { .pid = session->pid,
		                        .session_id = session->session_id };
	struct wanted wanted = { .key.process = &process,
		                 .window = window_of(session) };
	unsigned reported = exit_session_traits(session);
	struct exit_match match = { 0 };
	struct exit_match namesakes = { 0 };

	if (!index->count)
		return namesakes;
	if (!index->is_sorted)
		qsort(index->keys, index->count, sizeof(*index->keys),
		      compare_keys);
	index->is_sorted = true;
	uuid_of(session, &process.uuid);
	for (process.traits = 1; process.traits <= EXIT_TRAIT_ALL;
	     process.traits++) {
		wanted.key.traits = traits_to_compare(reported, process.traits);
		if (wanted.key.traits & EXIT_TRAIT_NAME)
			find_name(index, session->app_name, &process, &wanted,
			          wanted.key.traits == EXIT_TRAIT_NAME
			                  ? &namesakes
			                  : &match);
		else if (wanted.key.traits)
			add_matches(index, &wanted, &match);
	}
	return match.process ? match : namesakes;
}

bool exit_match_counts(const struct exit_match *match, bool is_stated)
{
	return match->process && (match->traits != EXIT_TRAIT_NAME ||
	                          !is_stated || match->is_in_session);
}

bool exit_match_is_likely(const struct exit_match *match)
{
	return match->count > 1 ||
	       (!match->is_in_session && (match->traits == EXIT_TRAIT_NAME ||
	                                  match->traits == EXIT_TRAIT_PID));
}

const char *exit_match_others(const struct exit_match *match,
                              struct arena *arena)
{
	if (match->count <= 1)
		return "";
	return arena_printf(arena, "; %zu %s match, this is the %s",
	                    match->count,
	                    match->process->reason ? "reports" : "logs",
	                    match->process->has_time ? "newest" : "first");
}

struct exit_match exit_index_newest(const struct exit_index *index)
{
	struct exit_match match = { .count = index->process_count };

	for (size_t i = 0; i < index->count; i++)
		if (!match.process || compare_processes(index->keys[i].process,
		                                        match.process) < 0)
			match.process = index->keys[i].process;
	return match;
}

bool exit_main_uuid(const struct report *report, struct uuid *ret)
{
	for (size_t i = 0; i < report->image_count; i++) {
		const struct report_image *image = &report->images[i];

		if (uuid_is_zero(&image->uuid) || !image->name ||
		    !report->process.name ||
		    strcmp(image->name, report->process.name) != 0)
			continue;
		*ret = image->uuid;
		return true;
	}
	return false;
}

const char *exit_traits_name(unsigned traits)
{
	static const char *const names[EXIT_TRAIT_ALL + 1] = {
		[EXIT_TRAIT_PID] = "pid",
		[EXIT_TRAIT_UUID] = "UUID",
		[EXIT_TRAIT_NAME] = "name",
		[EXIT_TRAIT_PID | EXIT_TRAIT_UUID] = "pid and UUID",
		[EXIT_TRAIT_PID | EXIT_TRAIT_NAME] = "pid and name",
		[EXIT_TRAIT_SESSION] = "session id",
	};

	return traits <= EXIT_TRAIT_ALL ? names[traits] : NULL;
}
