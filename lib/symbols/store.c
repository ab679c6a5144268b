#include "lib/symbols/store.h"

#include "lib/base/mem.h"
#include "lib/base/sorted.h"
#include "lib/darwin/cpu.h"
#include "lib/object/macho/macho.h"
#include "lib/symbols/cache.h"
#include "lib/symbols/cache_directory.h"
#include "lib/symbols/lookup.h"
#include "lib/symbols/map.h"
#include "lib/symbols/spawner.h"
#include "lib/symbols/uuid_catalog.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CPU_TYPE_ARM 12u

/** Answers are forgotten, and files closed, beyond these. */
#define CACHE_BYTES_MAX ((size_t)64 << 20)
#define OPEN_FILES_MAX  64
/** Of files in archives, which are unpacked in memory. */
#define UNPACKED_BYTES_MAX ((size_t)1 << 30)

/** A file of an image: opened when it is first asked. */
struct store_file {
	struct symbol_file *file;  ///< NULL: not open
	struct debug_cache *cache; ///< NULL: not open, or nothing is kept
	struct symbol_image image; ///< how its reading went; kept when closed
	char *reason;              ///< that of the image
	bool tried;
};

/** What the store knows of an image. */
struct store_image {
	struct uuid uuid;
	/** Those of the index when it was first asked: it may grow. */
	struct uuid_entry *entries;
	struct store_file *files; ///< one for each entry
	size_t file_count;
	struct symbol_cache cache;
	struct arena arena; ///< of the answers
};

/** A file of another build that was allowed for an image. */
struct store_mismatch {
	struct uuid uuid; ///< of the image
	struct uuid_entry entry;
};

struct symbol_store {
	struct uuid_index *index;
	struct cache_directory *cache; ///< NULL: nothing is kept
	struct uuid_catalog *catalog;  ///< NULL: none, or not asked for yet
	struct error *catalog_fault;   ///< why it is of no use; NULL: it is
	bool uses_catalog;
	bool catalog_tried;
	struct store_mismatch *mismatches; ///< few: the user typed them
	size_t mismatch_count;
	size_t mismatch_cap;
	struct store_image **images; ///< ascending by UUID
	size_t count;
	size_t cap;
	struct spawner *spawner; ///< of children; NULL: this process
	unsigned jobs;
	enum debug_reader reader;
	size_t foreseen; ///< requests that will follow the next ones
	size_t open_count;
	size_t opened;
	bool has_shortage;
	bool keeps_mangled;
};

unsigned symbol_default_jobs(void)
{
	long count = sysconf(_SC_NPROCESSORS_ONLN);

	return count > 0 ? (unsigned)count : 1;
}

struct symbol_store *symbol_store_new(unsigned jobs)
{
	struct symbol_store *store = mem_zalloc(1, sizeof(*store));

	store->index = uuid_index_new();
	store->jobs = jobs ? jobs : symbol_default_jobs();
	return store;
}

static void image_close(struct symbol_store *store, struct store_image *image)
{
	for (size_t i = 0; i < image->file_count; i++) {
		store->open_count -= image->files[i].file != NULL;
		debug_cache_close(image->files[i].cache);
		symbol_file_close(image->files[i].file);
		image->files[i].cache = NULL;
		image->files[i].file = NULL;
	}
}

static void image_forget(struct store_image *image)
{
	for (size_t i = 0; i < image->file_count; i++)
		if (image->files[i].file)
			symbol_file_forget(image->files[i].file);
	symbol_cache_release(&image->cache);
	arena_release(&image->arena);
}

void symbol_store_free(struct symbol_store *store)
{
	if (!store)
		return;
	for (size_t i = 0; i < store->count; i++) {
		struct store_image *image = store->images[i];

		image_close(store, image);
		image_forget(image);
		for (size_t j = 0; j < image->file_count; j++)
			free(image->files[j].reason);
		free(image->entries);
		free(image->files);
		free(image);
	}
	free(store->images);
	free(store->mismatches);
	uuid_index_free(store->index);
	uuid_catalog_close(store->catalog);
	error_free(store->catalog_fault);
	cache_directory_free(store->cache);
	spawner_stop(store->spawner);
	free(store);
}

void symbol_store_start_spawner(struct symbol_store *store)
{
	store->spawner = spawner_start();
}

void symbol_store_use_cache(struct symbol_store *store,
                            struct cache_directory *directory)
{
	cache_directory_free(store->cache);
	store->cache = directory;
}

struct error *symbol_store_add_path(struct symbol_store *store,
                                    const char *path)
{
	return uuid_index_add(store->index, path);
}

struct error *symbol_store_add_system(struct symbol_store *store,
                                      const char *path)
{
	return uuid_index_add_system(store->index, path);
}

struct error *symbol_store_add_maps(struct symbol_store *store,
                                    const char *path)
{
	return uuid_index_add_maps(store->index, path);
}

void symbol_store_allow(struct symbol_store *store, const struct uuid *uuid,
                        const struct uuid_entry *entry)
{
	MEM_GROW(store->mismatches, store->mismatch_count, store->mismatch_cap);
	store->mismatches[store->mismatch_count++] =
	        (struct store_mismatch){ .uuid = *uuid, .entry = *entry };
}

void symbol_store_use_reader(struct symbol_store *store,
                             enum debug_reader reader)
{
	store->reader = reader;
}

void symbol_store_keep_mangled(struct symbol_store *store)
{
	store->keeps_mangled = true;
}

struct uuid_index *symbol_store_index(struct symbol_store *store)
{
	return store->index;
}

void symbol_store_foresee(struct symbol_store *store, size_t requests)
{
	store->foreseen = requests;
}

size_t symbol_store_opened(const struct symbol_store *store)
{
	return store->opened;
}

size_t symbol_store_answer_bytes(const struct symbol_store *store)
{
	size_t bytes = 0;

	for (size_t i = 0; i < store->count; i++)
		bytes += store->images[i]->arena.total_bytes;
	return bytes;
}

bool symbol_store_has_shortage(const struct symbol_store *store)
{
	return store->has_shortage;
}

static size_t unpacked_bytes(const struct store_image *image)
{
	size_t bytes = 0;

	for (size_t i = 0; i < image->file_count; i++)
		if (image->files[i].file)
			bytes += symbol_file_unpacked_bytes(
			        image->files[i].file);
	return bytes;
}

void symbol_store_trim(struct symbol_store *store)
{
	size_t bytes = symbol_store_answer_bytes(store);
	size_t unpacked = 0;

	// What a file has cost to open, and to find one's way in, stays.
	for (size_t i = 0; i < store->count && bytes > CACHE_BYTES_MAX; i++)
		image_forget(store->images[i]);
	for (size_t i = 0; i < store->count; i++)
		unpacked += unpacked_bytes(store->images[i]);
	for (size_t i = 0;
	     i < store->count && (store->open_count > OPEN_FILES_MAX ||
	                          unpacked > UNPACKED_BYTES_MAX);
	     i++) {
		unpacked -= unpacked_bytes(store->images[i]);
		image_close(store, store->images[i]);
	}
}

static struct store_image *image_get(struct symbol_store *store,
                                     const struct uuid *uuid,
                                     const struct uuid_entry *entries,
                                     size_t entry_count)
{
	size_t place =
	        SORTED_SKIP(i, store->count,
	                    uuid_compare(&store->images[i]->uuid, uuid) < 0);
	struct store_image *image;

	if (place < store->count &&
	    uuid_equal(&store->images[place]->uuid, uuid))
		return store->images[place];
	MEM_GROW(store->images, store->count, store->cap);
	for (size_t i = store->count; i > place; i--)
		store->images[i] = store->images[i - 1];
	store->images[place] = image = mem_zalloc(1, sizeof(*image));
	store->count++;
	image->uuid = *uuid;
	image->file_count = entry_count;
	image->files = mem_zalloc(entry_count, sizeof(*image->files));
	image->entries = mem_zalloc(entry_count, sizeof(*image->entries));
	memcpy(image->entries, entries, entry_count * sizeof(*entries));
	return image;
}

/** The offset that is looked up for a query. */
static uint64_t lookup_offset(uint32_t cpu_type,
                              const struct symbol_query *query)
{
	uint64_t offset = query->offset;

	// Of a GSYM the CPU is not known. Before a return address is a call,
	// which on other CPUs has two bytes at least, and so is this one of it.
	if (cpu_type == CPU_TYPE_ARM || (!cpu_type && query->is_return_address))
		offset &= ~(uint64_t)1;
	if (query->is_return_address && offset > 0)
		offset--;
	return offset;
}

/** A request at work: the places that are still to be looked up. */
struct job {
	struct symbol_request *request;
	const struct uuid_entry *entries;
	size_t entry_count;
	struct store_image *image;
	uint64_t *offsets;   ///< ascending, each once
	uint64_t *addresses; ///< of the same places in the current file
	struct symbol_answer *answers;
	size_t count;
	struct symbol_lookup *lookup;
	bool waits; ///< for what the system has too little of
};

/** Gather the places that the cache does not know. */
static void job_gather(struct job *job, uint32_t cpu_type)
{
	const struct symbol_request *request = job->request;

	job->offsets = mem_zalloc(request->count, sizeof(*job->offsets));
	for (size_t i = 0; i < request->count; i++) {
		uint64_t offset = lookup_offset(cpu_type, &request->queries[i]);

		if (!symbol_cache_find(&job->image->cache, offset))
			job->offsets[job->count++] = offset;
	}
	job->count = sorted_once(job->offsets, job->count);
	job->addresses = mem_zalloc(job->count, sizeof(*job->addresses));
	job->answers = mem_zalloc(job->count, sizeof(*job->answers));
}

/** The files of an image: those of its UUID, else the one that was allowed. */
static const struct uuid_entry *find_entries(struct symbol_store *store,
                                             const struct uuid *uuid,
                                             size_t *ret_count)
{
	const struct uuid_entry *entries = NULL;

	*ret_count = 0;
	if (!uuid_is_zero(uuid))
		entries = uuid_index_find(store->index, uuid, ret_count);
	for (size_t i = 0; i < store->mismatch_count && !entries; i++) {
		if (!uuid_equal(&store->mismatches[i].uuid, uuid))
			continue;
		entries = &store->mismatches[i].entry;
		*ret_count = 1;
	}
	return entries;
}

void symbol_store_use_catalog(struct symbol_store *store)
{
	store->uses_catalog = true;
}

/** Look into the files that `apmtool index` found for an image. */
static void ask_catalog(struct symbol_store *store, const struct uuid *uuid)
{
	size_t known, count, first = 0;
	const struct uuid_entry *entries;

	if (!store->cache || !store->uses_catalog || uuid_is_zero(uuid))
		return;
	entries = uuid_index_find(store->index, uuid, &known);
	if (known && uuid_entry_is_dsym(&entries[0]))
		return;
	if (!store->catalog_tried)
		store->catalog_fault =
		        uuid_catalog_open(store->cache, &store->catalog);
	store->catalog_tried = true;
	count = store->catalog ? uuid_catalog_find(store->catalog, uuid, &first)
	                       : 0;
	for (size_t i = first; count && i < first + count; i++) {
		struct catalog_item item;

		if (uuid_catalog_item(store->catalog, i, &item))
			uuid_index_add_known(store->index, item.path);
	}
	if (store->catalog && !store->catalog_fault)
		store->catalog_fault =
		        uuid_catalog_fault(store->catalog, store->cache);
}

bool symbol_store_finds(struct symbol_store *store, const struct uuid *uuid)
{
	size_t count;

	ask_catalog(store, uuid);
	return uuid_index_find(store->index, uuid, &count) != NULL;
}

const struct error *symbol_store_catalog_fault(const struct symbol_store *store)
{
	return store->catalog_fault;
}

bool symbol_store_has(struct symbol_store *store, const struct uuid *uuid)
{
	size_t count;

	ask_catalog(store, uuid);
	return find_entries(store, uuid, &count);
}

static void job_begin(struct symbol_store *store, struct job *job,
                      struct symbol_request *request)
{
	*job = (struct job){ .request = request };
	request->image = (struct symbol_image){
		.status = SYMBOL_FILE_MISSING,
	};
	job->entries = find_entries(store, &request->uuid, &job->entry_count);
	if (!job->entry_count)
		return;
	job->image = image_get(store, &request->uuid, job->entries,
	                       job->entry_count);
	job->entries = job->image->entries;
	job->entry_count = job->image->file_count;
	job_gather(job, job->entries[0].cpu_type);
}

static bool job_wants_more(const struct job *job)
{
	for (size_t i = 0; i < job->count; i++)
		if (job->answers[i].source == SYMBOL_NONE)
			return true;
	return false;
}

static void describe_entry(struct symbol_image *image,
                           const struct uuid_entry *entry,
                           const struct uuid *wanted)
{
	*image = (struct symbol_image){
		.status = SYMBOL_FILE_FOUND,
		.path = entry->path,
		.cpu_type = entry->cpu_type,
		.cpu_subtype = entry->cpu_subtype,
		.arch = darwin_arch_label(entry->cpu_type, entry->cpu_subtype),
	};
	if (!uuid_equal(&entry->uuid, wanted))
		image->mismatch_uuid = entry->uuid;
}

static bool is_refusal(const struct error *err)
{
	return error_code(err) == ERROR_OS || error_code(err) == ERROR_SHORTAGE;
}

/** The first of several reasons counts. */
static void mark_unusable(struct symbol_store *store, struct store_file *known,
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

/** Names that the build hid are filled in, where their map was found. */
static void use_map(struct uuid_index *index, const struct uuid_entry *entry,
                    struct symbol_file *file)
{
	symbol_file_use_map(file, symbol_maps_find(uuid_index_maps(index),
	                                           &entry->uuid, entry->path));
}

/**
 * The open file, opening it first if need be; NULL where it cannot be.
 *
 * @param may_wait  Where the system has no descriptor or memory left, others
 *                  will give theirs back: try again then.
 */
static struct symbol_file *open_file(struct symbol_store *store,
                                     struct job *job, size_t index,
                                     bool may_wait)
{
	struct store_file *known = &job->image->files[index];
	struct error *err;

	if (!known->tried)
		describe_entry(&known->image, &job->entries[index],
		               &job->request->uuid);
	if (known->file ||
	    (known->tried && known->image.status != SYMBOL_FILE_FOUND))
		return known->file;
	err = symbol_file_open(&job->entries[index], &known->file);
	if (err && may_wait && error_code(err) == ERROR_SHORTAGE) {
		error_free(err);
		job->waits = true;
		return NULL;
	}
	known->tried = true;
	store->opened++;
	if (err) {
		mark_unusable(store, known, err);
		return NULL;
	}
	store->open_count++;
	symbol_file_use_reader(known->file, store->reader);
	symbol_file_use_spawner(known->file, store->spawner);
	if (store->keeps_mangled)
		symbol_file_keep_mangled(known->file);
	use_map(store->index, &job->entries[index], known->file);
	known->image.has_debug_info = symbol_file_has_debug_info(known->file);
	if (known->image.has_debug_info)
		known->cache =
		        symbol_file_open_cache(known->file, store->cache);
	if (known->image.has_debug_info && !known->cache)
		known->cache = symbol_file_open_cache(known->file, NULL);
	return known->file;
}

/**
 * Start reading file @p index of an image for what is still wanted, with at
 * most @p children. Debug info that has failed once is not tried again.
 */
static void job_start(struct symbol_store *store, struct job *job, size_t index,
                      unsigned children, bool may_wait)
{
	struct symbol_file *file;

	job->waits = false;
	// The first file is opened even if nothing is asked: its state is
	// reported.
	if (index >= job->entry_count || (index && !job_wants_more(job)))
		return;
	file = open_file(store, job, index, may_wait);
	if (!file || !job_wants_more(job))
		return;
	symbol_file_expect(file, job->count);
	for (size_t i = 0; i < job->count; i++)
		job->addresses[i] = symbol_file_address(file, job->offsets[i]);
	if (symbol_file_has_debug_info(file) && !symbol_file_is_gsym(file) &&
	    job->image->files[index].image.status == SYMBOL_FILE_FOUND) {
		debug_cache_foresee(job->image->files[index].cache,
		                    store->foreseen);
		job->lookup = symbol_lookup_start(
		        file, job->image->files[index].cache, job->addresses,
		        job->count, children, store->jobs);
	}
}

/** @param may_wait  Where a child could not be had, try again later. */
static void job_finish(struct symbol_store *store, struct job *job,
                       size_t index, bool may_wait)
{
	struct store_image *image = job->image;
	struct store_file *known;
	struct error *err = NULL;

	if (index >= job->entry_count)
		return;
	known = &image->files[index];
	if (job->lookup)
		err = symbol_lookup_finish(job->lookup, &image->arena,
		                           job->answers,
		                           &known->image.bad_unit_count);
	job->lookup = NULL;
	if (err && may_wait && error_code(err) == ERROR_SHORTAGE) {
		error_free(err);
		job->waits = true;
		return;
	}
	if (err)
		mark_unusable(store, known, err);
	if (known->file && job->count &&
	    (err = symbol_file_read_in_place(known->file, job->addresses,
	                                     job->count, &image->arena,
	                                     job->answers)))
		mark_unusable(store, known, err);
}

static void job_end(struct job *job)
{
	struct symbol_request *request = job->request;

	if (job->image)
		symbol_cache_room(&job->image->cache, job->count);
	for (size_t i = 0; i < job->count; i++)
		symbol_cache_add(&job->image->cache, job->offsets[i],
		                 &job->answers[i]);
	for (size_t i = 0; i < request->count; i++) {
		const struct symbol_answer *known = NULL;

		if (job->image)
			known = symbol_cache_find(
			        &job->image->cache,
			        lookup_offset(job->entries[0].cpu_type,
			                      &request->queries[i]));
		request->answers[i] = known ? *known
		                            : (struct symbol_answer){ 0 };
	}
	// The first file is the dSYM if there is one: its state is reported.
	if (job->image)
		request->image = job->image->files[0].image;
	free(job->answers);
	free(job->addresses);
	free(job->offsets);
}

/** Read one file of each image whose turn in @p round had to wait, alone. */
static void read_waiting(struct symbol_store *store, struct job *jobs,
                         size_t count, size_t round)
{
	for (size_t i = 0; i < count; i++) {
		if (!jobs[i].waits)
			continue;
		// Those of others, which are done, give their mappings back.
		for (size_t other = 0; other < count; other++)
			if (other != i && jobs[other].image &&
			    jobs[other].image != jobs[i].image)
				image_close(store, jobs[other].image);
		job_start(store, &jobs[i], round, 1, false);
		job_finish(store, &jobs[i], round, false);
	}
}

/** Read the files that have the number @p round in their images. */
static void read_round(struct symbol_store *store, struct job *jobs,
                       size_t count, size_t round, unsigned children)
{
	size_t behind = 0;

	// Never more files under way than jobs: one is waited for before the
	// next one starts.
	for (size_t i = 0; i < count; i++) {
		if (i - behind >= store->jobs) {
			if (!jobs[behind].waits)
				job_finish(store, &jobs[behind], round, true);
			behind++;
		}
		job_start(store, &jobs[i], round, children, true);
	}
	for (; behind < count; behind++)
		if (!jobs[behind].waits)
			job_finish(store, &jobs[behind], round, true);
	read_waiting(store, jobs, count, round);
}

/**
 * How many children may read one file: few files are read in several parts
 * each. Most images of a report have no file, and need no child.
 */
static unsigned children_each(const struct symbol_store *store,
                              const struct job *jobs, size_t count)
{
	size_t busy = 0;

	for (size_t i = 0; i < count; i++)
		busy += jobs[i].entry_count && jobs[i].count;
	return busy && busy < store->jobs ? store->jobs / (unsigned)busy : 1;
}

void symbol_store_resolve(struct symbol_store *store,
                          struct symbol_request *requests, size_t count)
{
	struct job *jobs = mem_zalloc(count, sizeof(*jobs));
	unsigned children;
	size_t rounds = 0;

	// Before any entry is borrowed from the index.
	for (size_t i = 0; i < count; i++)
		ask_catalog(store, &requests[i].uuid);
	for (size_t i = 0; i < count; i++) {
		job_begin(store, &jobs[i], &requests[i]);
		if (jobs[i].entry_count > rounds)
			rounds = jobs[i].entry_count;
	}
	children = children_each(store, jobs, count);
	// The dSYM is first; a binary of the same UUID may still know what
	// a damaged or stripped dSYM does not.
	for (size_t round = 0; round < rounds; round++)
		read_round(store, jobs, count, round, children);
	for (size_t i = 0; i < count; i++)
		job_end(&jobs[i]);
	free(jobs);
}
