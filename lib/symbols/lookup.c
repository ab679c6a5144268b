// SPDX-License-Identifier: MIT
#include "lib/symbols/lookup.h"

#include "lib/base/mem.h"
#include "lib/symbols/gsym/gsym.h"

#include <stdlib.h>
#include <string.h>

struct symbol_lookup {
	struct symbol_file *file;
	struct debug_cache *cache; ///< or NULL
	const uint64_t *addresses;
	size_t count;
	unsigned children;
	struct arena arena;
	struct gsym_answer *known; ///< by address; without calls: not known
	uint64_t *wanted;          ///< addresses that the cache does not have
	size_t *places;            ///< index of each wanted address
	size_t wanted_count;
	struct symbol_task *task; ///< NULL: all known
	bool is_whole;            ///< the task reads the whole file
	bool kept;                ///< the task's image was cached
};

/** Search the cache, and collect the other addresses. */
static void ask_cache(struct symbol_lookup *lookup)
{
	lookup->wanted_count = 0;
	for (size_t i = 0; i < lookup->count; i++) {
		enum debug_cache_found found = DEBUG_CACHE_UNKNOWN;

		lookup->known[i] = (struct gsym_answer){ 0 };
		if (lookup->cache)
			found = debug_cache_find(
			        lookup->cache, lookup->addresses[i],
			        &lookup->arena, &lookup->known[i]);
		if (found != DEBUG_CACHE_UNKNOWN)
			continue;
		lookup->places[lookup->wanted_count] = i;
		lookup->wanted[lookup->wanted_count++] = lookup->addresses[i];
	}
}

static void keep_image(struct str *image, void *context)
{
	struct symbol_lookup *lookup = context;

	debug_cache_add(lookup->cache, image);
	lookup->kept = true;
}

static void start_task(struct symbol_lookup *lookup, bool is_whole)
{
	lookup->is_whole = is_whole;
	lookup->kept = false;
	if (!is_whole) {
		lookup->task = symbol_task_start(lookup->file, lookup->wanted,
		                                 lookup->wanted_count,
		                                 lookup->children);
		if (lookup->cache)
			debug_cache_count(lookup->cache, lookup->wanted_count);
		return;
	}
	lookup->task = symbol_task_start_whole(lookup->file);
	symbol_task_keep(lookup->task, keep_image, lookup);
	debug_cache_expect_whole(lookup->cache);
}

struct symbol_lookup *symbol_lookup_start(struct symbol_file *file,
                                          struct debug_cache *cache,
                                          const uint64_t *addresses,
                                          size_t count, unsigned children)
{
	struct symbol_lookup *lookup = mem_zalloc(1, sizeof(*lookup));

	lookup->file = file;
	lookup->cache = cache;
	lookup->addresses = addresses;
	lookup->count = count;
	lookup->children = children;
	lookup->known = mem_zalloc(count, sizeof(*lookup->known));
	lookup->wanted = mem_zalloc(count, sizeof(*lookup->wanted));
	lookup->places = mem_zalloc(count, sizeof(*lookup->places));
	if (cache)
		debug_cache_expect(cache, count);
	ask_cache(lookup);
	// Damaged data has been dropped: search the rest again.
	if (cache && debug_cache_is_damaged(cache)) {
		symbol_file_forget(file);
		ask_cache(lookup);
	}
	if (lookup->wanted_count)
		start_task(lookup,
		           cache && debug_cache_wants_whole(
		                            cache, lookup->wanted_count));
	return lookup;
}

/** Move the task's answers to their places. */
static struct error *finish_task(struct symbol_lookup *lookup,
                                 struct arena *arena,
                                 struct symbol_answer *answers,
                                 size_t *bad_units)
{
	SCOPED(mem_drop)
	struct symbol_answer *found =
	        mem_zalloc(lookup->wanted_count, sizeof(*found));
	struct error *err =
	        symbol_task_finish(lookup->task, arena, found, bad_units);

	lookup->task = NULL;
	for (size_t i = 0; i < lookup->wanted_count; i++)
		if (found[i].source != SYMBOL_NONE)
			answers[lookup->places[i]] = found[i];
	return err;
}

/**
 * Finish reading the whole file. A failure, or a fault, may be due to unwanted
 * addresses: then read the wanted ones alone.
 */
static struct error *finish_whole(struct symbol_lookup *lookup,
                                  struct arena *arena,
                                  struct symbol_answer *answers,
                                  size_t *bad_units)
{
	SCOPED(arena_release) struct arena scratch = { 0 };
	size_t other_units = 0;
	struct error *err =
	        symbol_task_finish(lookup->task, &scratch, NULL, &other_units);

	error_free(err);
	lookup->task = NULL;
	if (!lookup->kept) {
		debug_cache_no_whole(lookup->cache);
		start_task(lookup, false);
		return finish_task(lookup, arena, answers, bad_units);
	}
	// The cached image has all of them.
	symbol_file_forget(lookup->file);
	ask_cache(lookup);
	return NULL;
}

/** Answer from debug information only, without the cache. */
static struct error *read_again(struct symbol_lookup *lookup,
                                struct arena *arena,
                                struct symbol_answer *answers,
                                size_t *bad_units)
{
	lookup->cache = NULL;
	ask_cache(lookup);
	start_task(lookup, false);
	return finish_task(lookup, arena, answers, bad_units);
}

struct error *symbol_lookup_finish(struct symbol_lookup *lookup,
                                   struct arena *arena,
                                   struct symbol_answer *answers,
                                   size_t *bad_units)
{
	const size_t units_before = *bad_units;
	size_t wanted = lookup->wanted_count;
	struct error *err = NULL;

	if (lookup->task && lookup->is_whole)
		err = finish_whole(lookup, arena, answers, bad_units);
	else if (lookup->task)
		err = finish_task(lookup, arena, answers, bad_units);
	// A child fails for all its addresses at once. To be independent of the
	// cache's contents, read all addresses in one go.
	if (err && wanted < lookup->count) {
		error_free(err);
		*bad_units = units_before;
		err = read_again(lookup, arena, answers, bad_units);
	}
	for (size_t i = 0; i < lookup->count; i++)
		if (lookup->known[i].count)
			symbol_file_fill(lookup->file, &lookup->known[i], true,
			                 arena, &answers[i]);
	// Earlier answers may come from damaged parts of the cache.
	if (lookup->cache && debug_cache_is_damaged(lookup->cache)) {
		symbol_file_forget(lookup->file);
		memset(answers, 0, lookup->count * sizeof(*answers));
		error_free(err);
		*bad_units = units_before;
		err = read_again(lookup, arena, answers, bad_units);
	}
	arena_release(&lookup->arena);
	free(lookup->known);
	free(lookup->wanted);
	free(lookup->places);
	free(lookup);
	return err;
}
