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
/**
 * Files of one UUID that have their debug information read: copies, mostly, so
 * that what two without a fault do not know is not there.
 */
#define FILES_READ_MAX 8
#define SOUND_READ_MAX 2

/** A file of an image: opened when it is first asked. */
struct store_file {
	struct symbol_file *file;  ///< NULL: not open
	struct debug_cache *cache; ///< NULL: not open, or nothing is kept
	struct symbol_image image; ///< how its reading went; kept when closed
	char *reason;              ///< that of the image
	bool tried;
	bool cannot_open;
	bool is_read;     ///< its debug information was asked
	bool cannot_read; ///< and is not to be asked again
	bool is_replaced; ///< another one gave what it should have
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

/** Files that were allowed for an image, as one of another build. */
struct store_allowed {
	struct uuid uuid; ///< of the image
	struct uuid_entry *entries;
	size_t count;
};

struct symbol_store {
	struct uuid_index *index;
	struct cache_directory *cache; ///< NULL: nothing is kept
	struct uuid_catalog *catalog;  ///< NULL: none, or not asked for yet
	struct error *catalog_fault;   ///< why it is of no use; NULL: it is
	bool uses_catalog;
	bool catalog_tried;
	struct store_allowed *allowed; ///< few: the images of an app
	size_t allowed_count;
	size_t allowed_cap;
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
	for (size_t i = 0; i < store->allowed_count; i++)
		free(store->allowed[i].entries);
	free(store->allowed);
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
	return uuid_index_add_place(store->index, path);
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
                        const struct uuid_entry *entries, size_t count)
{
	struct store_allowed allowed = {
		.uuid = *uuid,
		.entries = mem_zalloc(count, sizeof(*entries)),
		.count = count,
	};

	memcpy(allowed.entries, entries, count * sizeof(*entries));
	MEM_GROW(store->allowed, store->allowed_count, store->allowed_cap);
	store->allowed[store->allowed_count++] = allowed;
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

void symbol_store_visit_replaced(
        const struct symbol_store *store,
        void (*visit)(const struct symbol_image *image))
{
	for (size_t i = 0; i < store->count; i++) {
		const struct store_image *image = store->images[i];

		for (size_t k = 0; k < image->file_count; k++)
			if (image->files[k].is_replaced)
				visit(&image->files[k].image);
	}
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
	uint64_t *offsets; ///< ascending, each once
	struct symbol_answer *answers;
	size_t count;
	// What the current file is asked.
	size_t *asked; ///< indexes of places
	uint64_t *addresses;
	struct symbol_answer *found;
	size_t asked_count;
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
	job->answers = mem_zalloc(job->count, sizeof(*job->answers));
	job->asked = mem_zalloc(job->count, sizeof(*job->asked));
	job->addresses = mem_zalloc(job->count, sizeof(*job->addresses));
	job->found = mem_zalloc(job->count, sizeof(*job->found));
}

/** The files of an image: those of its UUID, else those that were allowed. */
static const struct uuid_entry *find_entries(struct symbol_store *store,
                                             const struct uuid *uuid,
                                             size_t *ret_count)
{
	const struct uuid_entry *entries = NULL;

	*ret_count = 0;
	if (!uuid_is_zero(uuid))
		entries = uuid_index_find(store->index, uuid, ret_count);
	for (size_t i = 0; i < store->allowed_count && !entries; i++) {
		if (!uuid_equal(&store->allowed[i].uuid, uuid))
			continue;
		entries = store->allowed[i].entries;
		*ret_count = store->allowed[i].count;
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

static bool is_damaged(const struct symbol_image *image)
{
	return image->status != SYMBOL_FILE_FOUND || image->bad_unit_count;
}

/** Has it debug information, and no fault that is known? */
static bool is_sound(const struct symbol_image *image)
{
	return !is_damaged(image) && image->has_debug_info;
}

/** How much an answer says. */
enum worth {
	WORTH_NOTHING,
	WORTH_SYMBOL,
	// Of a file that is damaged:
	WORTH_FUNCTION, ///< a name is missing, or the line
	WORTH_DOUBTED,  ///< inlined calls may be missing
	WORTH_ALL,
};

static enum worth worth_of(const struct symbol_answer *answer,
                           const struct store_file *file)
{
	if (answer->source != SYMBOL_DWARF)
		return answer->source == SYMBOL_NONE ? WORTH_NOTHING
		                                     : WORTH_SYMBOL;
	// Code that the compiler made has no line, in any copy of the file.
	if (is_sound(&file->image))
		return WORTH_ALL;
	for (size_t i = 0; i < answer->count; i++)
		if (answer->calls[i].is_unnamed)
			return WORTH_FUNCTION;
	if (!answer->count || !answer->calls[0].line || !answer->calls[0].file)
		return WORTH_FUNCTION;
	return WORTH_DOUBTED;
}

static bool may_have_lines(const struct uuid_entry *entry)
{
	return uuid_entry_is_dsym(entry) || uuid_entry_is_gsym(entry);
}

/** Is there debug information to be asked in file @p index? */
static bool may_be_read(const struct store_image *image, size_t index)
{
	const struct store_file *file = &image->files[index];
	size_t read = 0, sound = 0;

	if (file->cannot_read || (file->tried && !file->image.has_debug_info))
		return false;
	if (file->is_read)
		return true;
	for (size_t i = 0; i < image->file_count; i++) {
		read += image->files[i].is_read;
		sound += image->files[i].is_read &&
		         is_sound(&image->files[i].image);
	}
	return read < FILES_READ_MAX && sound < SOUND_READ_MAX;
}

static bool has_sound_before(const struct store_image *image, size_t index)
{
	for (size_t i = 0; i < index; i++)
		if (image->files[i].tried && is_sound(&image->files[i].image))
			return true;
	return false;
}

/**
 * Choose the places of which file @p index may know more. A GSYM was made of
 * the debug information: of that which is sound it knows no more.
 */
static void job_choose(struct job *job, size_t index)
{
	const struct uuid_entry *entry = &job->entries[index];
	bool knows_lines = may_have_lines(entry) &&
	                   may_be_read(job->image, index) &&
	                   !(uuid_entry_is_gsym(entry) &&
	                     has_sound_before(job->image, index));

	job->asked_count = 0;
	for (size_t i = 0; i < job->count; i++) {
		const struct symbol_answer *answer = &job->answers[i];
		enum worth worth =
		        worth_of(answer, &job->image->files[answer->file]);

		if (worth == WORTH_NOTHING ||
		    (worth != WORTH_ALL && knows_lines))
			job->asked[job->asked_count++] = i;
	}
}

/** Is a file to be opened for its state alone, which is reported? */
static bool wants_state(const struct job *job, size_t index)
{
	const struct store_file *files = job->image->files;

	if (files[index].tried ||
	    (index && (!may_have_lines(&job->entries[index]) ||
	               !may_be_read(job->image, index))))
		return false;
	return !has_sound_before(job->image, index);
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
 * Is @p file the first of its image with debug information? The cache has one
 * entry for a UUID: what two files kept there, they would take from each other.
 */
static bool is_first_read(const struct store_image *image,
                          const struct store_file *file)
{
	for (const struct store_file *i = image->files; i != file; i++)
		if (i->image.has_debug_info)
			return false;
	return true;
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
	if (known->file || known->cannot_open)
		return known->file;
	err = symbol_file_open(&job->entries[index], &known->file);
	if (err && may_wait && error_code(err) == ERROR_SHORTAGE) {
		error_free(err);
		job->waits = true;
		return NULL;
	}
	known->tried = true;
	store->opened++;
	known->cannot_open = err;
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
	if ((err = symbol_file_check_whole(known->file)))
		mark_unusable(store, known, err);
	if (known->image.has_debug_info && is_first_read(job->image, known))
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
	struct store_file *known;

	job->waits = false;
	job->asked_count = 0;
	if (index >= job->entry_count)
		return;
	job_choose(job, index);
	if (!job->asked_count && !wants_state(job, index))
		return;
	file = open_file(store, job, index, may_wait);
	if (!file)
		job->asked_count = 0;
	if (!job->asked_count)
		return;
	known = &job->image->files[index];
	symbol_file_expect(file, job->asked_count);
	memset(job->found, 0, job->asked_count * sizeof(*job->found));
	for (size_t i = 0; i < job->asked_count; i++)
		job->addresses[i] =
		        symbol_file_address(file, job->offsets[job->asked[i]]);
	if (symbol_file_has_debug_info(file) && !symbol_file_is_gsym(file) &&
	    may_be_read(job->image, index)) {
		known->is_read = true;
		debug_cache_foresee(known->cache, store->foreseen);
		job->lookup = symbol_lookup_start(
		        file, known->cache, job->addresses, job->asked_count,
		        children, store->jobs);
	}
}

/** Keep the answers of file @p index that say more than those before. */
static void job_take(struct job *job, size_t index)
{
	struct store_file *files = job->image->files;
	bool says_more = false;

	for (size_t i = 0; i < job->asked_count; i++) {
		struct symbol_answer *answer = &job->answers[job->asked[i]];

		if (worth_of(&job->found[i], &files[index]) <=
		    worth_of(answer, &files[answer->file]))
			continue;
		*answer = job->found[i];
		answer->file = (uint32_t)index;
		says_more |= answer->source == SYMBOL_DWARF;
	}
	for (size_t i = 0; says_more && i < index; i++)
		files[i].is_replaced |= files[i].image.has_debug_info;
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
		                           job->found,
		                           &known->image.bad_unit_count);
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
	                                     job->asked_count, &image->arena,
	                                     job->found)))
		mark_unusable(store, known, err);
	job_take(job, index);
}

/**
 * The file whose state is an image's: a sound one, if there is one, as it was
 * asked whatever the others could not answer. Of several, which answered most.
 */
static size_t choose_file(const struct store_image *image,
                          const size_t *answered)
{
	size_t best = 0;

	for (size_t i = 1; i < image->file_count; i++) {
		bool sound = is_sound(&image->files[i].image);
		bool best_sound = is_sound(&image->files[best].image);

		if (image->files[i].tried &&
		    (sound > best_sound ||
		     (sound == best_sound && answered[i] > answered[best])))
			best = i;
	}
	return best;
}

static void report_file(struct job *job, size_t index)
{
	struct store_file *files = job->image->files;

	for (size_t i = 0; i < index; i++)
		files[i].is_replaced |= files[i].tried &&
		                        is_damaged(&files[i].image);
	job->request->image = files[index].image;
}

static void job_end(struct job *job)
{
	struct symbol_request *request = job->request;
	SCOPED(mem_drop)
	size_t *answered = mem_zalloc(job->entry_count, sizeof(*answered));

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
		if (known && known->source == SYMBOL_DWARF)
			answered[known->file]++;
	}
	if (job->image)
		report_file(job, choose_file(job->image, answered));
	free(job->found);
	free(job->addresses);
	free(job->asked);
	free(job->answers);
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
	// The dSYM is first; others of the same UUID, and a binary, may still
	// know what a damaged or stripped one does not.
	for (size_t round = 0; round < rounds; round++)
		read_round(store, jobs, count, round, children);
	for (size_t i = 0; i < count; i++)
		job_end(&jobs[i]);
	free(jobs);
}
