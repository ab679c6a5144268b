// SPDX-License-Identifier: MIT
#include "lib/symbols/cache/debug_cache.h"

#include "lib/base/mem.h"
#include "lib/symbols/cache/cache_entry.h"

#include <stdlib.h>

/**
 * Cost of an address, in bytes of debug information read whole: finding 10,000
 * addresses in 400 MB takes about an eighth of the time of reading all of it.
 */
#define BYTES_PER_ADDRESS ((uint64_t)8 << 10)
/** Max size of debug information that is read whole at once. */
#define WHOLE_AT_ONCE_BYTES ((uint64_t)256 << 10)
/** Checksums of a file take the time of reading 1/10 of it. */
#define SUM_SHARE 10

/** An open entry of the directory. */
struct open_entry {
	const struct cache_directory *directory; ///< where it is
	struct file_data file;
	struct cache_entry entry;
	bool is_open;
};

struct debug_cache {
	struct cache_directory *directory;
	struct cache_directory *beside; ///< read-only; or NULL
	struct cache_source source;
	struct bytes slice;
	uint64_t debug_bytes;
	struct open_entry whole;
	bool is_proven;       ///< the entry is of this file
	bool is_copy;         ///< with the stamp of another copy
	struct str new_whole; ///< of this run; used until it is written
	struct gsym new_gsym;
	struct gsym_walk walk;
	uint64_t asked; ///< addresses read in this run
	bool no_whole;
	bool is_new_mark; ///< the mark must be written
};

void debug_cache_add_name(const struct uuid *uuid, struct str *out)
{
	char text[UUID_TEXT_SIZE];

	str_addf(out, "%s.gsym", uuid_format(uuid, text));
}

/** Append the name of the mark of an unreadable file. */
static void add_mark_name(const struct uuid *uuid, struct str *out)
{
	char text[UUID_TEXT_SIZE];

	str_addf(out, "%s.unreadable.gsym", uuid_format(uuid, text));
}

static void entry_close(struct open_entry *open)
{
	if (!open->is_open)
		return;
	cache_entry_release(&open->entry);
	file_release(&open->file);
	open->is_open = false;
}

/** Are the sources equal except for the stamp? */
static bool is_alike(const struct cache_source *a, const struct cache_source *b)
{
	return uuid_equal(&a->uuid, &b->uuid) && a->reader == b->reader &&
	       a->size == b->size && a->offset == b->offset;
}

static bool is_summed(const struct cache_source *source)
{
	return source->contents[0] || source->contents[1];
}

static void sum_contents(struct debug_cache *cache)
{
	if (!is_summed(&cache->source))
		cache_sum_contents(cache->slice, cache->source.contents);
}

/** Compare the contents of a copy with the entry's checksums. */
static void prove(struct debug_cache *cache)
{
	const uint64_t *theirs = cache->whole.entry.source.contents;
	const uint64_t *ours = cache->source.contents;

	if (!cache->whole.is_open || cache->is_proven)
		return;
	sum_contents(cache);
	cache->is_proven = cache->is_copy = ours[0] == theirs[0] &&
	                                    ours[1] == theirs[1];
	if (!cache->is_proven)
		entry_close(&cache->whole);
}

static bool is_overwritten(const char *name, const struct open_entry *open)
{
	SCOPED(str_release) struct str path = { 0 };

	cache_directory_add_path(open->directory, name, &path);
	return file_is_overwritten(str_cstr(&path), &open->file.stamp);
}

/** Keep the new time, so it is not mistaken for a write. */
static void touch(const char *name, struct open_entry *open)
{
	SCOPED(str_release) struct str path = { 0 };
	struct file_stamp *stamp = &open->file.stamp;
	struct file_stamp touched;

	cache_directory_touch(open->directory, name);
	cache_directory_add_path(open->directory, name, &path);
	if (file_stamp_read(str_cstr(&path), &touched) &&
	    touched.inode == stamp->inode && touched.size == stamp->size)
		*stamp = touched;
}

/**
 * Is a verified entry unchanged? If it was written to, or only touched, all of
 * it is verified again.
 */
static bool is_sound(const char *name, struct open_entry *open)
{
	SCOPED(error_drop)
	struct error *err = file_reading_error(NULL, open->file.bytes);

	if (err || open->entry.guard.damaged)
		return false;
	if (!is_overwritten(name, open))
		return true;
	guard_forget(&open->entry.guard);
	return cache_entry_is_sound(&open->entry);
}

/** Open the entry with the same UUID, reader and size, if it exists. */
static void entry_open(const struct debug_cache *cache, const char *name,
                       struct open_entry *open)
{
	SCOPED(error_drop) struct error *err = NULL;

	if (!cache_directory_map(open->directory, name, &open->file))
		return;
	err = cache_entry_read(open->file.bytes, &open->entry);
	if (err) {
		file_release(&open->file);
		return;
	}
	open->is_open = true;
	if (!is_alike(&open->entry.source, &cache->source))
		entry_close(open);
}

static bool has_own_stamp(const struct debug_cache *cache,
                          const struct open_entry *open)
{
	return open->is_open && file_stamp_equal(&open->entry.source.stamp,
	                                         &cache->source.stamp);
}

static void open_whole(struct debug_cache *cache,
                       const struct cache_directory *directory)
{
	SCOPED(str_release) struct str name = { 0 };
	struct open_entry *whole = &cache->whole;

	whole->directory = directory;
	debug_cache_add_name(&cache->source.uuid, &name);
	entry_open(cache, str_cstr(&name), whole);
	if (whole->is_open && !whole->entry.image.size)
		entry_close(whole);
	cache->is_proven = has_own_stamp(cache, whole);
	if (cache->is_proven)
		touch(str_cstr(&name), whole);
}

static void read_mark(struct debug_cache *cache)
{
	SCOPED(str_release) struct str name = { 0 };
	struct open_entry mark = { .directory = cache->directory };

	add_mark_name(&cache->source.uuid, &name);
	entry_open(cache, str_cstr(&name), &mark);
	cache->no_whole = has_own_stamp(cache, &mark) && !mark.entry.image.size;
	if (cache->no_whole)
		touch(str_cstr(&name), &mark);
	entry_close(&mark);
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
		.stamp = *stamp,
	};
	if (directory)
		open_whole(cache, directory);
	if (directory && !cache->is_proven)
		read_mark(cache);
	return cache;
}

void debug_cache_look_beside(struct debug_cache *cache, const char *path)
{
	struct text directory = text_from(path);
	SCOPED(str_release) struct str name = { 0 };

	// This machine's entry is as good, and faster.
	if (cache->is_proven || cache->whole.is_open)
		return;
	directory = text_first(directory, text_find_last_char(directory, '/'));
	str_add_text(&name, directory);
	cache->beside = cache_directory_new(str_cstr(&name), 0);
	cache_directory_trust_owner(cache->beside, path);
	cache_directory_freeze(cache->beside);
	open_whole(cache, cache->beside);
}

bool debug_cache_is_whole(const struct debug_cache *cache)
{
	return cache->is_proven || cache->new_whole.size;
}

bool debug_cache_has_whole(struct debug_cache *cache)
{
	prove(cache);
	return debug_cache_is_whole(cache);
}

void debug_cache_expect(struct debug_cache *cache, size_t count)
{
	uint64_t cost = (cache->asked + count) * BYTES_PER_ADDRESS;

	if (cost > cache->slice.size / SUM_SHARE ||
	    debug_cache_wants_whole(cache, count))
		prove(cache);
}

/** Addresses usually ascend, so a look-up continues from the last. */
static struct gsym_walk *walk_in(struct debug_cache *cache)
{
	const struct gsym *gsym = cache->is_proven ? &cache->whole.entry.gsym
	                                           : &cache->new_gsym;

	if (cache->walk.gsym != gsym)
		cache->walk = (struct gsym_walk){ .gsym = gsym };
	return &cache->walk;
}

enum debug_cache_found debug_cache_find(struct debug_cache *cache,
                                        uint64_t address, struct arena *arena,
                                        struct gsym_answer *ret)
{
	if (!debug_cache_is_whole(cache))
		return DEBUG_CACHE_UNKNOWN;
	return gsym_walk_lookup(walk_in(cache), address, arena, ret)
	               ? DEBUG_CACHE_FOUND
	               : DEBUG_CACHE_NOTHING;
}

bool debug_cache_is_damaged(struct debug_cache *cache)
{
	SCOPED(str_release) struct str name = { 0 };

	if (!cache->is_proven)
		return false;
	debug_cache_add_name(&cache->source.uuid, &name);
	if (is_sound(str_cstr(&name), &cache->whole))
		return false;
	entry_close(&cache->whole);
	cache->is_proven = cache->is_copy = false;
	error_free(cache_directory_remove(cache->whole.directory,
	                                  str_cstr(&name)));
	return true;
}

bool debug_cache_wants_whole(const struct debug_cache *cache, size_t count)
{
	uint64_t asked = cache->asked + count;

	if (!count || cache->no_whole || debug_cache_is_whole(cache))
		return false;
	// Without a cache, one request does not justify it.
	if (!cache->directory && !cache->asked)
		return false;
	return cache->debug_bytes <= WHOLE_AT_ONCE_BYTES ||
	       asked >= cache->debug_bytes / BYTES_PER_ADDRESS;
}

void debug_cache_count(struct debug_cache *cache, size_t count)
{
	cache->asked += count;
}

void debug_cache_expect_whole(struct debug_cache *cache)
{
	if (cache->directory)
		sum_contents(cache);
}

void debug_cache_no_whole(struct debug_cache *cache)
{
	cache->no_whole = true;
	cache->is_new_mark = true;
}

void debug_cache_add(struct debug_cache *cache, struct str *image)
{
	SCOPED(error_drop) struct error *err = NULL;

	str_release(&cache->new_whole);
	cache->walk = (struct gsym_walk){ 0 };
	cache->new_whole = *image;
	*image = (struct str){ 0 };
	err = gsym_open(bytes_from_text(str_text(&cache->new_whole)),
	                &cache->new_gsym);
	if (err) {
		str_release(&cache->new_whole);
		debug_cache_no_whole(cache);
	}
}

/**
 * @param contents  Buffer for the entry.
 */
static struct error *put(struct debug_cache *cache, struct bytes image,
                         const char *name, struct str *contents)
{
	const struct cache_entry entry = { .source = cache->source,
		                           .image = image };

	cache_entry_write(&entry, contents);
	return cache_directory_put(cache->directory, name, contents);
}

static struct error *write_whole(struct debug_cache *cache)
{
	SCOPED(str_release) struct str name = { 0 };
	SCOPED(str_release) struct str mark = { 0 };
	struct error *err;

	sum_contents(cache);
	debug_cache_add_name(&cache->source.uuid, &name);
	err = put(cache, bytes_from_text(str_text(&cache->new_whole)),
	          str_cstr(&name), &cache->new_whole);
	add_mark_name(&cache->source.uuid, &mark);
	if (!err)
		error_free(cache_directory_remove(cache->directory,
		                                  str_cstr(&mark)));
	return err;
}

/** Write the entry again, with the stamp of this copy of the file. */
static struct error *write_copy(struct debug_cache *cache)
{
	SCOPED(str_release) struct str name = { 0 };
	SCOPED(str_release) struct str contents = { 0 };
	struct cache_entry *entry = &cache->whole.entry;

	// Its checksums are new, even if it was damaged since.
	guard_forget(&entry->guard);
	if (!cache_entry_is_sound(entry))
		return NULL;
	debug_cache_add_name(&cache->source.uuid, &name);
	return put(cache, entry->image, str_cstr(&name), &contents);
}

static struct error *write_mark(struct debug_cache *cache)
{
	SCOPED(str_release) struct str name = { 0 };
	SCOPED(str_release) struct str contents = { 0 };

	add_mark_name(&cache->source.uuid, &name);
	return put(cache, (struct bytes){ 0 }, str_cstr(&name), &contents);
}

static struct error *write_new(struct debug_cache *cache)
{
	if (!cache->directory)
		return NULL;
	if (cache->new_whole.size)
		return write_whole(cache);
	if (cache->is_copy)
		return write_copy(cache);
	return cache->is_new_mark ? write_mark(cache) : NULL;
}

struct error *debug_cache_close_kept(struct debug_cache *cache)
{
	struct error *err;

	if (!cache)
		return NULL;
	err = write_new(cache);
	entry_close(&cache->whole);
	str_release(&cache->new_whole);
	cache_directory_free(cache->beside);
	free(cache);
	return err;
}

void debug_cache_close(struct debug_cache *cache)
{
	// Not needed yet: if there is no room, it is made again.
	error_free(debug_cache_close_kept(cache));
}
