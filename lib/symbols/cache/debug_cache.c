// SPDX-License-Identifier: MIT
#include "lib/symbols/cache/debug_cache.h"

#include "lib/base/mem.h"
#include "lib/base/sorted.h"
#include "lib/symbols/cache/cache_entry.h"

#include <stdlib.h>
#include <string.h>

/**
 * What an address costs, in bytes of debug information read whole: to find
 * 10,000 of them in 400 MB takes about an eighth of the time that all of it
 * takes.
 */
#define BYTES_PER_ADDRESS ((uint64_t)8 << 10)
/** So little is read whole at once. */
#define WHOLE_AT_ONCE_BYTES ((uint64_t)256 << 10)
/** What a run keeps in memory to be written when the file is closed. */
#define NEW_BYTES_MAX ((size_t)64 << 20)

/** An entry of the directory, open. */
struct open_entry {
	struct file_data file;
	struct cache_entry entry;
	bool is_open;
};

struct debug_cache {
	struct cache_directory *directory;
	struct cache_source source;
	struct bytes slice;
	uint64_t debug_bytes;
	struct open_entry whole;
	struct open_entry partial;
	struct arena arena;   ///< of addresses
	struct str new_whole; ///< of this run; used as well as written
	struct gsym new_gsym;
	struct gsym_walk whole_walk;
	struct gsym_walk walks[CACHE_PARTS_MAX]; ///< of the partial entry
	struct str new_images[CACHE_PARTS_MAX];
	struct cache_part new_parts[CACHE_PARTS_MAX];
	size_t new_count;
	size_t new_bytes;
	uint64_t paid;
	bool no_whole;
	bool is_changed; ///< the partial entry is to be written
	bool moved; ///< the whole entry is good, but was made from another copy
};

void debug_cache_add_name(const struct uuid *uuid, bool is_whole,
                          struct str *out)
{
	char text[UUID_TEXT_SIZE];

	str_addf(out, "%s%s", uuid_format(uuid, text),
	         is_whole ? ".gsym" : ".part.gsym");
}

static void entry_close(struct open_entry *open)
{
	if (!open->is_open)
		return;
	cache_entry_release(&open->entry);
	file_release(&open->file);
	open->is_open = false;
}

static bool has_stamp(const struct cache_source *source,
                      const struct file_stamp *stamp)
{
	for (size_t i = 0; i < CACHE_STAMPS_MAX; i++)
		if (file_stamp_equal(&source->stamps[i], stamp))
			return true;
	return false;
}

/**
 * Was the entry made from this very file? A copy of it has other stamps: then
 * its contents decide, where they were summed up.
 */
static bool is_of_source(struct debug_cache *cache,
                         const struct cache_entry *entry)
{
	const struct cache_source *theirs = &entry->source;
	struct cache_source *ours = &cache->source;

	if (!uuid_equal(&theirs->uuid, &ours->uuid) ||
	    theirs->reader != ours->reader || theirs->size != ours->size ||
	    theirs->offset != ours->offset)
		return false;
	if (has_stamp(theirs, &ours->stamps[0]))
		return true;
	if (!entry->is_whole)
		return false;
	cache_sum_contents(cache->slice, ours->contents);
	cache->moved = ours->contents[0] == theirs->contents[0] &&
	               ours->contents[1] == theirs->contents[1];
	return cache->moved;
}

static bool is_overwritten(const struct debug_cache *cache, const char *name,
                           const struct open_entry *open)
{
	SCOPED(str_release) struct str path = { 0 };

	cache_directory_add_path(cache->directory, name, &path);
	return file_is_overwritten(str_cstr(&path), &open->file.stamp);
}

/** Its new time is not one at which somebody wrote to it. */
static void touch(const struct debug_cache *cache, const char *name,
                  struct open_entry *open)
{
	SCOPED(str_release) struct str path = { 0 };
	struct file_stamp *stamp = &open->file.stamp;
	struct file_stamp touched;

	cache_directory_touch(cache->directory, name);
	cache_directory_add_path(cache->directory, name, &path);
	if (file_stamp_read(str_cstr(&path), &touched) &&
	    touched.inode == stamp->inode && touched.size == stamp->size)
		*stamp = touched;
}

/**
 * Is what was looked at in an entry still what was verified? Of one that was
 * written to meanwhile, if only its time, all is verified again.
 */
static bool is_sound(const struct debug_cache *cache, const char *name,
                     struct open_entry *open)
{
	SCOPED(error_drop)
	struct error *err = file_reading_error(NULL, open->file.bytes);

	if (err || open->entry.guard.damaged)
		return false;
	if (!is_overwritten(cache, name, open))
		return true;
	guard_forget(&open->entry.guard);
	return cache_entry_is_sound(&open->entry);
}

static void entry_open(struct debug_cache *cache, bool is_whole,
                       struct open_entry *open)
{
	SCOPED(str_release) struct str name = { 0 };
	SCOPED(error_drop) struct error *err = NULL;

	debug_cache_add_name(&cache->source.uuid, is_whole, &name);
	if (!cache_directory_map(cache->directory, str_cstr(&name),
	                         &open->file))
		return;
	err = cache_entry_read(open->file.bytes, &cache->arena, &open->entry);
	if (err) {
		file_release(&open->file);
		return;
	}
	open->is_open = true;
	if (open->entry.is_whole != is_whole ||
	    !is_of_source(cache, &open->entry))
		entry_close(open);
	else
		touch(cache, str_cstr(&name), open);
}

struct debug_cache *debug_cache_open(struct cache_directory *directory,
                                     const struct uuid *uuid,
                                     struct bytes slice, uint64_t offset,
                                     const struct file_stamp *stamp,
                                     enum debug_reader reader,
                                     uint64_t debug_bytes)
{
	struct debug_cache *cache = mem_zalloc(1, sizeof(*cache));

	cache->directory = directory;
	cache->slice = slice;
	cache->debug_bytes = debug_bytes;
	cache->source = (struct cache_source){
		.uuid = *uuid,
		.reader = cache_reader_id(reader),
		.offset = offset,
		.size = slice.size,
		.stamps = { *stamp },
	};
	if (directory)
		entry_open(cache, true, &cache->whole);
	if (directory && !cache->whole.is_open)
		entry_open(cache, false, &cache->partial);
	if (cache->partial.is_open) {
		cache->paid = cache->partial.entry.paid;
		cache->no_whole = cache->partial.entry.no_whole;
	}
	return cache;
}

bool debug_cache_is_whole(const struct debug_cache *cache)
{
	return cache->whole.is_open || cache->new_whole.size;
}

/** Addresses mostly ascend from call to call: a look-up goes on from the last.
 */
static struct gsym_walk *walk_in(struct gsym_walk *walk,
                                 const struct gsym *gsym)
{
	if (walk->gsym != gsym)
		*walk = (struct gsym_walk){ .gsym = gsym };
	return walk;
}

/** In the image of the whole file; NULL: there is none. */
static struct gsym_walk *walk_in_whole(struct debug_cache *cache)
{
	if (cache->whole.is_open)
		return walk_in(&cache->whole_walk,
		               &cache->whole.entry.parts[0].gsym);
	return cache->new_whole.size
	               ? walk_in(&cache->whole_walk, &cache->new_gsym)
	               : NULL;
}

static enum debug_cache_found find_in(struct gsym_walk *walk, uint64_t address,
                                      struct arena *arena,
                                      struct gsym_answer *ret)
{
	return gsym_walk_lookup(walk, address, arena, ret)
	               ? DEBUG_CACHE_FOUND
	               : DEBUG_CACHE_NOTHING;
}

enum debug_cache_found debug_cache_find(struct debug_cache *cache,
                                        uint64_t address, struct arena *arena,
                                        struct gsym_answer *ret)
{
	const struct cache_entry *partial = &cache->partial.entry;
	struct gsym_walk *whole = walk_in_whole(cache);

	if (whole)
		return find_in(whole, address, arena, ret);
	for (size_t i = 0; cache->partial.is_open && i < partial->part_count;
	     i++) {
		const struct cache_part *part = &partial->parts[i];
		size_t at = SORTED_SKIP(k, part->count,
		                        part->addresses[k] < address);

		if (at < part->count && part->addresses[at] == address)
			return find_in(walk_in(&cache->walks[i], &part->gsym),
			               address, arena, ret);
	}
	return DEBUG_CACHE_UNKNOWN;
}

static bool drop_damaged(struct debug_cache *cache, bool is_whole,
                         struct open_entry *open)
{
	SCOPED(str_release) struct str name = { 0 };

	if (!open->is_open)
		return false;
	debug_cache_add_name(&cache->source.uuid, is_whole, &name);
	if (is_sound(cache, str_cstr(&name), open))
		return false;
	entry_close(open);
	error_free(cache_directory_remove(cache->directory, str_cstr(&name)));
	return true;
}

bool debug_cache_is_damaged(struct debug_cache *cache)
{
	bool whole = drop_damaged(cache, true, &cache->whole);
	bool partial = drop_damaged(cache, false, &cache->partial);

	return whole || partial;
}

bool debug_cache_wants_whole(const struct debug_cache *cache, size_t count)
{
	uint64_t asked = cache->paid + count;

	if (!count || cache->no_whole || debug_cache_is_whole(cache))
		return false;
	// What is asked only once is not worth more than its own cost.
	if (!cache->directory && !cache->paid)
		return false;
	return cache->debug_bytes <= WHOLE_AT_ONCE_BYTES ||
	       asked >= cache->debug_bytes / BYTES_PER_ADDRESS;
}

void debug_cache_expect_whole(struct debug_cache *cache)
{
	uint64_t *sums = cache->source.contents;

	// Of a copy it was done when its entry was found.
	if (cache->directory && !sums[0] && !sums[1])
		cache_sum_contents(cache->slice, sums);
}

void debug_cache_no_whole(struct debug_cache *cache)
{
	cache->no_whole = true;
	cache->is_changed = true;
}

static void add_whole(struct debug_cache *cache, struct str *image)
{
	SCOPED(error_drop) struct error *err = NULL;

	str_release(&cache->new_whole);
	cache->whole_walk = (struct gsym_walk){ 0 };
	cache->new_whole = *image;
	*image = (struct str){ 0 };
	err = gsym_open(bytes_from_text(str_text(&cache->new_whole)),
	                &cache->new_gsym);
	if (err) {
		str_release(&cache->new_whole);
		debug_cache_no_whole(cache);
	}
}

void debug_cache_add(struct debug_cache *cache, struct str *image,
                     const uint64_t *addresses, size_t count)
{
	struct cache_part *part;

	if (!addresses) {
		add_whole(cache, image);
		return;
	}
	cache->paid += count;
	cache->is_changed = true;
	if (!cache->directory || cache->new_count == CACHE_PARTS_MAX ||
	    image->size > NEW_BYTES_MAX - cache->new_bytes) {
		str_release(image);
		return;
	}
	part = &cache->new_parts[cache->new_count];
	cache->new_images[cache->new_count] = *image;
	cache->new_bytes += image->size;
	part->image = bytes_from_text(str_text(image));
	part->count = count;
	part->addresses = arena_array(&cache->arena, count, sizeof(*addresses));
	memcpy(part->addresses, addresses, count * sizeof(*addresses));
	cache->new_count++;
	*image = (struct str){ 0 };
}

/** Parts of an entry on disk, which are copied as they are. */
static bool take_parts(struct cache_entry *entry, struct open_entry *open)
{
	if (!open->is_open)
		return false;
	// It gets new checksums, whatever is there by now.
	guard_forget(&open->entry.guard);
	if (!cache_entry_is_sound(&open->entry))
		return false;
	for (size_t i = 0; i < open->entry.part_count; i++)
		entry->parts[entry->part_count++] = open->entry.parts[i];
	return true;
}

/** @param contents  Where it is put together. */
static struct error *put_entry(struct debug_cache *cache,
                               const struct cache_entry *entry,
                               struct str *contents)
{
	SCOPED(str_release) struct str name = { 0 };
	struct error *err;

	debug_cache_add_name(&cache->source.uuid, entry->is_whole, &name);
	cache_entry_write(entry, contents);
	err = cache_directory_put(cache->directory, str_cstr(&name), contents);
	if (err || !entry->is_whole)
		return err;
	str_clear(&name);
	debug_cache_add_name(&cache->source.uuid, false, &name);
	error_free(cache_directory_remove(cache->directory, str_cstr(&name)));
	return NULL;
}

static struct error *write_whole(struct debug_cache *cache)
{
	debug_cache_expect_whole(cache);

	struct cache_entry entry = {
		.source = cache->source,
		.is_whole = true,
		.part_count = 1,
		.parts = { { .image = bytes_from_text(
		                     str_text(&cache->new_whole)) } },
	};

	return put_entry(cache, &entry, &cache->new_whole);
}

/** The same entry again, with the place where it was found now. */
static struct error *write_moved(struct debug_cache *cache)
{
	const struct cache_source *known = &cache->whole.entry.source;
	SCOPED(str_release) struct str contents = { 0 };
	struct cache_entry entry = { .source = cache->source,
		                     .is_whole = true };

	for (size_t i = 1; i < CACHE_STAMPS_MAX; i++)
		entry.source.stamps[i] = known->stamps[i - 1];
	return take_parts(&entry, &cache->whole)
	               ? put_entry(cache, &entry, &contents)
	               : NULL;
}

static struct error *write_partial(struct debug_cache *cache)
{
	struct cache_entry entry = { .source = cache->source,
		                     .no_whole = cache->no_whole,
		                     .paid = cache->paid };
	SCOPED(str_release) struct str contents = { 0 };
	size_t drop;

	// Only a whole entry is good for a copy of the file, too.
	memset(entry.source.contents, 0, sizeof(entry.source.contents));
	take_parts(&entry, &cache->partial);
	// The oldest make room.
	drop = entry.part_count + cache->new_count > CACHE_PARTS_MAX
	               ? entry.part_count + cache->new_count - CACHE_PARTS_MAX
	               : 0;
	entry.part_count -= drop;
	memmove(entry.parts, entry.parts + drop,
	        entry.part_count * sizeof(*entry.parts));
	for (size_t i = 0; i < cache->new_count; i++)
		entry.parts[entry.part_count++] = cache->new_parts[i];
	return put_entry(cache, &entry, &contents);
}

static struct error *write_new(struct debug_cache *cache)
{
	if (!cache->directory)
		return NULL;
	if (cache->new_whole.size)
		return write_whole(cache);
	if (cache->whole.is_open && cache->moved)
		return write_moved(cache);
	return cache->is_changed ? write_partial(cache) : NULL;
}

struct error *debug_cache_close_kept(struct debug_cache *cache)
{
	struct error *err;

	if (!cache)
		return NULL;
	err = write_new(cache);
	entry_close(&cache->whole);
	entry_close(&cache->partial);
	for (size_t i = 0; i < cache->new_count; i++)
		str_release(&cache->new_images[i]);
	str_release(&cache->new_whole);
	arena_release(&cache->arena);
	free(cache);
	return err;
}

void debug_cache_close(struct debug_cache *cache)
{
	// Nobody has asked for it: without room, it is made again.
	error_free(debug_cache_close_kept(cache));
}
