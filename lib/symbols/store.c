// SPDX-License-Identifier: MIT
#include "lib/symbols/store.h"

#include "lib/base/mem.h"
#include "lib/base/parallel.h"
#include "lib/base/sorted.h"
#include "lib/base/str.h"
#include "lib/symbols/cache/cache_directory.h"
#include "lib/symbols/cache/debug_cache.h"
#include "lib/symbols/debug_worker.h"
#include "lib/symbols/fetch/fetch.h"
#include "lib/symbols/index/file_search.h"
#include "lib/symbols/index/map.h"
#include "lib/symbols/known_images.h"
#include "lib/symbols/lookup.h"
#include "lib/symbols/worker/spawner.h"

#include <stdlib.h>
#include <string.h>

#define CPU_TYPE_ARM 12u

struct symbol_store {
	struct symbol_store_options options;
	struct file_search search;
	struct known_images known;
	struct spawner *spawner; ///< forks children; NULL: this process does
	struct fetch *fetch;     ///< NULL: no fetching
	size_t opened;
	bool has_shortage;
};

struct symbol_store *symbol_store_new(
        const struct symbol_store_options *options)
{
	struct symbol_store *store = mem_zalloc(1, sizeof(*store));

	store->options = *options;
	if (!options->jobs)
		store->options.jobs = parallel_processors();
	store->search.index = uuid_index_new();
	store->search.uses_catalog = options->uses_catalog;
	if (options->reads_apart)
		store->spawner = spawner_new(&debug_worker_jobs);
	return store;
}

void symbol_store_free(struct symbol_store *store)
{
	if (!store)
		return;
	known_images_release(&store->known);
	file_search_release(&store->search);
	cache_directory_free(store->options.cache);
	spawner_stop(store->spawner);
	fetch_free(store->fetch);
	free(store);
}

struct error *symbol_store_add_path(struct symbol_store *store,
                                    const char *path)
{
	return uuid_index_add_place(store->search.index, path);
}

void symbol_store_add_layout(struct symbol_store *store, const char *path)
{
	file_search_add_store(&store->search, path);
}

void symbol_store_use_fetch(struct symbol_store *store, struct fetch *fetch)
{
	store->fetch = fetch;
}

const char *symbol_store_fetch_problem(const struct symbol_store *store,
                                       size_t *ret_count)
{
	*ret_count = 0;
	return store->fetch ? fetch_problem(store->fetch, ret_count) : NULL;
}

struct error *symbol_store_add_found(struct symbol_store *store,
                                     const char *path,
                                     struct file_budget *budget)
{
	return uuid_index_add_found(store->search.index, path, budget);
}

struct error *symbol_store_add_system(struct symbol_store *store,
                                      const char *path)
{
	return uuid_index_add_system(store->search.index, path);
}

struct error *symbol_store_add_maps(struct symbol_store *store,
                                    const char *path)
{
	return uuid_index_add_maps(store->search.index, path);
}

void symbol_store_allow(struct symbol_store *store, const struct uuid *uuid,
                        const struct uuid_entry *entries, size_t count)
{
	file_search_allow(&store->search, uuid, entries, count);
}

struct uuid_index *symbol_store_index(struct symbol_store *store)
{
	return store->search.index;
}

/** Number of files of all images. */
static size_t count_files(const struct symbol_store *store)
{
	size_t count = 0;

	for (size_t i = 0; i < store->known.count; i++)
		count += store->known.images[i]->files.count;
	return count;
}

const struct symbol_image **symbol_store_replaced(
        const struct symbol_store *store, struct arena *arena,
        size_t *ret_count)
{
	const struct symbol_image **replaced =
	        arena_array(arena, count_files(store), sizeof(*replaced));
	size_t count = 0;

	for (size_t i = 0; i < store->known.count; i++) {
		const struct known_image *image = store->known.images[i];

		for (size_t k = 0; k < image->files.count; k++)
			if (image->files.all[k].is_replaced)
				replaced[count++] = &image->files.all[k].image;
	}
	*ret_count = count;
	return replaced;
}

struct symbol_unread *symbol_store_unread(const struct symbol_store *store,
                                          struct arena *arena,
                                          size_t *ret_count)
{
	struct symbol_unread *unread =
	        arena_array(arena, store->known.count, sizeof(*unread));
	size_t count = 0;

	for (size_t i = 0; i < store->known.count; i++) {
		struct symbol_unread found = { .read_count =
			                               IMAGE_FILES_READ_MAX };

		found.count = image_files_unread(&store->known.images[i]->files,
		                                 &found.first);
		if (found.count)
			unread[count++] = found;
	}
	*ret_count = count;
	return unread;
}

size_t symbol_store_opened(const struct symbol_store *store)
{
	return store->opened;
}

size_t symbol_store_answer_bytes(const struct symbol_store *store)
{
	return store->known.arena.total_bytes;
}

bool symbol_store_has_shortage(const struct symbol_store *store)
{
	return store->has_shortage;
}

void symbol_store_trim(struct symbol_store *store)
{
	file_search_forget_asked(&store->search);
	known_images_trim(&store->known);
}

/** Facts with the image's CPU. */
static struct symbol_facts facts_of(const struct known_image *image)
{
	return uuid_entry_facts(&image->files.entries[0]);
}

/** The offset to look up for a query. */
static uint64_t lookup_offset(const struct symbol_facts *facts,
                              const struct symbol_query *query)
{
	uint64_t offset = query->offset;

	// A GSYM has no CPU type. A return address follows a call, which has at
	// least two bytes on other CPUs, so the Thumb bit can be cleared there,
	// too.
	if (facts->cpu_type == CPU_TYPE_ARM ||
	    (facts->any_cpu && query->is_return_address))
		offset &= ~(uint64_t)1;
	if (query->is_return_address && offset > 0)
		offset--;
	return offset;
}

/** A request in progress: the addresses still to look up. */
struct job {
	struct symbol_request *request;
	struct known_image *image; ///< NULL: no file
	uint64_t *offsets;         ///< ascending, unique
	struct symbol_answer *answers;
	size_t count;
	// Addresses for the current file:
	size_t *asked; ///< indexes into offsets
	uint64_t *addresses;
	struct symbol_answer *found;
	size_t asked_count;
	struct symbol_lookup *lookup;
	size_t turn; ///< index of the current file
	bool waits;  ///< for resources of the system
};

/** Collect the addresses without a known answer. */
static void job_gather(struct job *job)
{
	const struct symbol_request *request = job->request;
	const struct symbol_facts facts = facts_of(job->image);

	job->offsets = mem_zalloc(request->count, sizeof(*job->offsets));
	for (size_t i = 0; i < request->count; i++) {
		uint64_t offset = lookup_offset(&facts, &request->queries[i]);

		if (!symbol_answers_find(&job->image->answers, offset))
			job->offsets[job->count++] = offset;
	}
	job->count = sorted_once(job->offsets, job->count);
	job->answers = mem_zalloc(job->count, sizeof(*job->answers));
	// Reused for each file.
	job->asked = mem_alloc(job->count * sizeof(*job->asked));
	job->addresses = mem_alloc(job->count * sizeof(*job->addresses));
	job->found = mem_alloc(job->count * sizeof(*job->found));
}

/** With a named dSYM, the catalog's files may not be needed. */
static void ask_catalog(struct symbol_store *store, const struct uuid *uuid)
{
	if (file_search_has_dsym(&store->search, uuid))
		return;
	file_search_ask_stores(&store->search, uuid);
	if (file_search_has_dsym(&store->search, uuid))
		return;
	file_search_ask_catalog(&store->search, store->options.cache, uuid);
}

static void add_fetched(const char *path, void *context)
{
	struct symbol_store *store = context;

	uuid_index_add_known(store->search.index, path);
}

/** Fetch files for an image without debug information elsewhere. */
static void ask_all(struct symbol_store *store, const struct uuid *uuid,
                    const char *arch)
{
	const struct uuid_entry *entries;
	size_t count;

	ask_catalog(store, uuid);
	if (!store->fetch)
		return;
	entries = file_search_find(&store->search, uuid, &count);
	if (!count || uuid_entry_facts(&entries[0]).role >= SYMBOL_ROLE_IMAGE)
		fetch_get(store->fetch, uuid, arch, add_fetched, store);
}

bool symbol_store_finds(struct symbol_store *store, const struct uuid *uuid)
{
	size_t count;

	ask_catalog(store, uuid);
	return uuid_index_find(store->search.index, uuid, &count) != NULL;
}

const struct error *symbol_store_catalog_fault(const struct symbol_store *store)
{
	return store->search.catalog_fault;
}

bool symbol_store_has(struct symbol_store *store, const struct uuid *uuid,
                      const char *arch)
{
	size_t count;

	ask_all(store, uuid, arch);
	return file_search_find(&store->search, uuid, &count);
}

static void job_begin(struct symbol_store *store, struct job *job,
                      struct symbol_request *request)
{
	const struct uuid_entry *entries;
	size_t count;

	*job = (struct job){ .request = request };
	request->image = (struct symbol_image){
		.status = SYMBOL_FILE_MISSING,
	};
	request->image_elsewhere = request->image;
	entries = file_search_find(&store->search, &request->uuid, &count);
	if (!count)
		return;
	job->image =
	        known_images_get(&store->known, &request->uuid, entries, count);
	job_gather(job);
}

static void describe_entry(struct symbol_image *image,
                           const struct uuid_entry *entry,
                           const struct uuid *wanted)
{
	const struct symbol_facts facts = uuid_entry_facts(entry);

	*image = (struct symbol_image){
		.status = SYMBOL_FILE_FOUND,
		.path = entry->path,
		.cpu_type = facts.cpu_type,
		.cpu_subtype = facts.cpu_subtype,
		.arch = uuid_entry_arch(entry),
	};
	if (!uuid_equal(&entry->uuid, wanted))
		image->mismatch_uuid = entry->uuid;
}

static bool is_refusal(const struct error *err)
{
	return error_code(err) == ERROR_OS || error_code(err) == ERROR_SHORTAGE;
}

/** Keep the first of several reasons. */
static void mark_unusable(struct symbol_store *store, struct image_file *known,
                          struct error *err)
{
	const char *message = error_message(err);

	known->image.status = is_refusal(err) ? SYMBOL_FILE_UNREADABLE
	                                      : SYMBOL_FILE_MALFORMED;
	store->has_shortage |= error_code(err) == ERROR_SHORTAGE;
	if (!known->reason)
		known->reason = mem_strndup(message, strlen(message));
	known->image.reason = known->reason;
	error_free(err);
}

/** Use the map with the names that the build hid, if found. */
static void use_map(struct uuid_index *index, const struct uuid_entry *entry,
                    struct symbol_file *file)
{
	symbol_file_use_map(file, symbol_maps_find(uuid_index_maps(index),
	                                           &entry->uuid, entry->path));
}

/** Is a file before @p index cached whole? */
static bool has_whole_before(const struct image_files *files, size_t index)
{
	for (size_t i = 0; i < index; i++)
		if (files->all[i].cache &&
		    debug_cache_is_whole(files->all[i].cache))
			return true;
	return false;
}

/** Open the cache of file @p index. */
static struct debug_cache *open_cache(struct symbol_store *store,
                                      const struct image_files *files,
                                      size_t index)
{
	struct symbol_file *file = files->all[index].file;
	bool is_first = image_files_is_first_read(files, index);
	struct debug_cache *cache = NULL;

	// If the first one is damaged, a later one may be cached whole.
	if (is_first || !has_whole_before(files, index))
		cache = symbol_file_open_cache(file, store->options.cache);
	if (cache && store->options.uses_catalog &&
	    file_search_is_stored(&store->search, &files->entries[index]))
		debug_cache_look_beside(cache, files->entries[index].path);
	if (cache && (is_first || debug_cache_is_whole(cache)))
		return cache;
	debug_cache_close(cache);
	return symbol_file_open_cache(file, NULL);
}

/**
 * Get the file, opening it if needed; NULL on failure.
 *
 * @param may_wait  If descriptors or memory are used up, try again after other
 *                  jobs.
 */
static struct symbol_file *open_file(struct symbol_store *store,
                                     struct job *job, size_t index,
                                     bool may_wait)
{
	const struct uuid_entry *entry = &job->image->files.entries[index];
	struct image_file *known = &job->image->files.all[index];
	struct error *err;

	if (!known->tried)
		describe_entry(&known->image, entry, &job->request->uuid);
	if (known->file || known->image.cannot_open)
		return known->file;
	err = symbol_file_open(entry, &known->file);
	if (err && may_wait && error_code(err) == ERROR_SHORTAGE) {
		error_free(err);
		job->waits = true;
		return NULL;
	}
	known->tried = true;
	store->opened++;
	known->image.cannot_open = err != NULL;
	if (err) {
		mark_unusable(store, known, err);
		return NULL;
	}
	symbol_file_use_names(known->file, &store->known.printed,
	                      store->options.form);
	symbol_file_use_reader(known->file, store->options.reader);
	symbol_file_use_spawner(known->file, store->spawner);
	use_map(store->search.index, entry, known->file);
	known->image.has_debug_info = symbol_file_has_debug_info(known->file);
	if ((err = symbol_file_check_whole(known->file)))
		mark_unusable(store, known, err);
	if (known->image.has_debug_info)
		known->cache = open_cache(store, &job->image->files, index);
	return known->file;
}

static bool job_has_turn(const struct job *job)
{
	return job->image && job->turn < job->image->files.count;
}

/**
 * Start reading the current file for the missing answers, with at most @p
 * children. Debug information that failed once is not tried again.
 */
static void job_start(struct symbol_store *store, struct job *job,
                      unsigned children, bool may_wait)
{
	struct image_files *files;
	struct symbol_file *file;
	struct image_file *known;

	job->waits = false;
	job->asked_count = 0;
	if (!job_has_turn(job))
		return;
	files = &job->image->files;
	job->asked_count = image_files_choose(files, job->turn, job->answers,
	                                      job->count, job->asked);
	if (!job->asked_count && !image_files_want_state(files, job->turn))
		return;
	file = open_file(store, job, job->turn, may_wait);
	if (!file)
		job->asked_count = 0;
	if (!job->asked_count)
		return;
	known = &files->all[job->turn];
	symbol_file_expect(file, job->asked_count);
	memset(job->found, 0, job->asked_count * sizeof(*job->found));
	for (size_t i = 0; i < job->asked_count; i++)
		job->addresses[i] =
		        symbol_file_address(file, job->offsets[job->asked[i]]);
	if (symbol_file_is_read(file) &&
	    image_files_may_be_read(files, job->turn)) {
		known->is_read = true;
		job->lookup = symbol_lookup_start(file, known->cache,
		                                  job->addresses,
		                                  job->asked_count, children);
	}
}

static char *describe_damage(const char *bad_unit)
{
	SCOPED(str_release) struct str text = { 0 };

	str_addf(&text, SYMBOL_BAD_UNITS "%s%s", *bad_unit ? ": " : "",
	         bad_unit);
	return mem_strndup(text.data, text.size);
}

/** Mark the answers of a damaged file, or those at damaged places. */
static void mark_doubted(const struct job *job, struct image_file *known,
                         size_t bad_units)
{
	bool all = bad_units || known->image.status != SYMBOL_FILE_FOUND;

	if (bad_units && !known->damage)
		known->image.damage = known->damage =
		        describe_damage(symbol_file_bad_unit(known->file));
	for (size_t i = 0; i < job->asked_count; i++) {
		if (job->found[i].is_doubted)
			known->image.damage = SYMBOL_BAD_RECORDS;
		job->found[i].is_doubted |= all;
	}
}

/**
 * @param may_wait  If no child can be started, try again later.
 */
static void job_finish(struct symbol_store *store, struct job *job,
                       bool may_wait)
{
	struct known_image *image = job->image;
	struct image_file *known;
	struct error *err = NULL;
	size_t bad_units = 0;

	if (!job_has_turn(job))
		return;
	known = &image->files.all[job->turn];
	if (job->lookup)
		err = symbol_lookup_finish(job->lookup, &store->known.arena,
		                           job->found, &bad_units);
	job->lookup = NULL;
	if (err && may_wait && error_code(err) == ERROR_SHORTAGE) {
		error_free(err);
		job->waits = true;
		return;
	}
	known->cannot_read |= err != NULL;
	if (err)
		mark_unusable(store, known, err);
	if (job->asked_count &&
	    (err = symbol_file_read_in_place(known->file, job->addresses,
	                                     job->asked_count,
	                                     &store->known.arena, job->found)))
		mark_unusable(store, known, err);
	mark_doubted(job, known, bad_units);
	image_files_take(&image->files, job->turn, job->asked, job->found,
	                 job->asked_count, job->answers);
}

static void set_image(struct symbol_request *request,
                      const struct symbol_image *state, bool is_doubted)
{
	request->image_elsewhere = *state;
	request->image_elsewhere.damage = NULL;
	request->image = is_doubted ? *state : request->image_elsewhere;
	if (request->image.damage &&
	    request->image.status == SYMBOL_FILE_FOUND) {
		request->image.status = SYMBOL_FILE_MALFORMED;
		request->image.reason = request->image.damage;
	}
}

/** Keep the new answers, and fill those of the request. */
static void job_answer(struct job *job)
{
	struct symbol_request *request = job->request;
	struct known_image *image = job->image;
	const struct symbol_facts facts = facts_of(image);
	SCOPED(mem_drop)
	size_t *answered = mem_zalloc(image->files.count, sizeof(*answered));
	bool is_doubted = false;

	image_files_end(&image->files, job->answers, job->count);
	symbol_answers_room(&image->answers, job->count);
	for (size_t i = 0; i < job->count; i++)
		symbol_answers_add(&image->answers, job->offsets[i],
		                   &job->answers[i]);
	for (size_t i = 0; i < request->count; i++) {
		const struct symbol_answer *known = symbol_answers_find(
		        &image->answers,
		        lookup_offset(&facts, &request->queries[i]));

		request->answers[i] = *known;
		is_doubted |= known->is_doubted;
		if (known->source == SYMBOL_DWARF)
			answered[known->file]++;
	}
	set_image(request, image_files_state(&image->files, answered),
	          is_doubted);
}

static void job_end(struct job *job)
{
	if (job->image)
		job_answer(job);
	else if (job->request->count)
		memset(job->request->answers, 0,
		       job->request->count * sizeof(*job->request->answers));
	free(job->found);
	free(job->addresses);
	free(job->asked);
	free(job->answers);
	free(job->offsets);
}

/** Read one file of each image that had to wait, one at a time. */
static void read_waiting(struct symbol_store *store, struct job *jobs,
                         size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (!jobs[i].waits)
			continue;
		// Finished files of other images release their mappings.
		for (size_t other = 0; other < count; other++)
			if (other != i && jobs[other].image &&
			    jobs[other].image != jobs[i].image)
				known_image_close(jobs[other].image);
		job_start(store, &jobs[i], 1, false);
		job_finish(store, &jobs[i], false);
	}
}

/** Read the current file of each image. */
static void read_round(struct symbol_store *store, struct job *jobs,
                       size_t count, unsigned children)
{
	size_t behind = 0;

	// At most as many files as jobs: wait for one before the next starts.
	for (size_t i = 0; i < count; i++) {
		if (i - behind >= store->options.jobs) {
			if (!jobs[behind].waits)
				job_finish(store, &jobs[behind], true);
			behind++;
		}
		job_start(store, &jobs[i], children, true);
	}
	for (; behind < count; behind++)
		if (!jobs[behind].waits)
			job_finish(store, &jobs[behind], true);
	read_waiting(store, jobs, count);
	for (size_t i = 0; i < count; i++)
		jobs[i].turn++;
}

/**
 * Max children per file: few files are read in several parts each. Most images
 * of a report have no file, and need no child.
 */
static unsigned children_each(const struct symbol_store *store,
                              const struct job *jobs, size_t count)
{
	size_t busy = 0;

	for (size_t i = 0; i < count; i++)
		busy += jobs[i].count > 0;
	return busy && busy < store->options.jobs
	               ? store->options.jobs / (unsigned)busy
	               : 1;
}

/** Add the catalog's files of an image if no other is sound. */
static void job_add_files(struct symbol_store *store, struct job *job)
{
	struct known_image *image = job->image;
	const struct uuid_entry *entries;
	size_t count;

	if (!image || job->turn != image->files.count || image->has_all_files ||
	    !image_files_want_more(&image->files, job->answers, job->count))
		return;
	image->has_all_files = true;
	file_search_ask_catalog(&store->search, store->options.cache,
	                        &image->uuid);
	entries = file_search_find(&store->search, &image->uuid, &count);
	image_files_add(&image->files, entries, count);
	image->entry_count = count;
}

/** Has any image a file to search? */
static bool has_turns(struct symbol_store *store, struct job *jobs,
                      size_t count)
{
	bool ret = false;

	for (size_t i = 0; i < count; i++) {
		if (!job_has_turn(&jobs[i]))
			job_add_files(store, &jobs[i]);
		ret |= job_has_turn(&jobs[i]);
	}
	return ret;
}

void symbol_store_resolve(struct symbol_store *store,
                          struct symbol_request *requests, size_t count)
{
	struct job *jobs = mem_zalloc(count, sizeof(*jobs));
	unsigned children;

	// Before entries are borrowed from the index.
	for (size_t i = 0; i < count; i++)
		ask_all(store, &requests[i].uuid, NULL);
	for (size_t i = 0; i < count; i++)
		job_begin(store, &jobs[i], &requests[i]);
	children = children_each(store, jobs, count);
	// In order: the dSYM, then others of the UUID, and a binary, for
	// answers that a damaged or stripped file does not have.
	while (has_turns(store, jobs, count))
		read_round(store, jobs, count, children);
	for (size_t i = 0; i < count; i++)
		job_end(&jobs[i]);
	free(jobs);
}
