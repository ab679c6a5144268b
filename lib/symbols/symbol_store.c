#include "lib/symbols/symbol_store.h"

#include "lib/base/file.h"
#include "lib/base/mem.h"
#include "lib/base/str.h"
#include "lib/object/macho.h"
#include "lib/symbols/debug_worker.h"
#include "lib/symbols/demangle.h"
#include "lib/symbols/gsym.h"
#include "lib/symbols/symtab.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define CPU_TYPE_ARM 12u

struct symbol_store {
	struct uuid_index *index;
	size_t opened;
};

struct symbol_store *symbol_store_new(void)
{
	struct symbol_store *store = mem_zalloc(1, sizeof(*store));

	store->index = uuid_index_new();
	return store;
}

void symbol_store_free(struct symbol_store *store)
{
	if (!store)
		return;
	uuid_index_free(store->index);
	free(store);
}

struct error *symbol_store_add_path(struct symbol_store *store,
                                    const char *path)
{
	return uuid_index_add(store->index, path);
}

struct uuid_index *symbol_store_index(struct symbol_store *store)
{
	return store->index;
}

size_t symbol_store_opened(const struct symbol_store *store)
{
	return store->opened;
}

/** A query that still wants an answer, by the address that is looked up. */
struct wanted {
	uint64_t address; ///< file address
	size_t query;
};

/** One file at work: its image, and what is still wanted of it. */
struct job {
	struct file_data file;
	struct macho macho;
	struct wanted *wanted; ///< ascending by address
	uint64_t *addresses;   ///< the same, addresses alone
	size_t count;
	struct arena *arena;
	struct symbol_answer *answers;
};

static int compare_wanted(const void *a, const void *b)
{
	const struct wanted *x = a;
	const struct wanted *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return (x->query > y->query) - (x->query < y->query);
}

static uint64_t lookup_address(const struct macho *macho,
                               const struct symbol_query *query)
{
	uint64_t offset = query->offset;

	if (macho->cpu_type == CPU_TYPE_ARM)
		offset &= ~(uint64_t)1;
	if (query->is_return_address && offset > 0)
		offset--;
	return macho->text_address + offset;
}

/** Gather the queries without an answer, sorted. */
static void job_collect(struct job *job, const struct symbol_query *queries,
                        size_t count)
{
	job->wanted = mem_zalloc(count, sizeof(*job->wanted));
	job->addresses = mem_zalloc(count, sizeof(*job->addresses));
	for (size_t i = 0; i < count; i++) {
		if (job->answers[i].source != SYMBOL_NONE)
			continue;
		job->wanted[job->count++] = (struct wanted){
			.address = lookup_address(&job->macho, &queries[i]),
			.query = i,
		};
	}
	qsort(job->wanted, job->count, sizeof(*job->wanted), compare_wanted);
	for (size_t i = 0; i < job->count; i++)
		job->addresses[i] = job->wanted[i].address;
}

/** Drop what has been answered. */
static void job_shrink(struct job *job)
{
	size_t left = 0;

	for (size_t i = 0; i < job->count; i++) {
		if (job->answers[job->wanted[i].query].source != SYMBOL_NONE)
			continue;
		job->wanted[left] = job->wanted[i];
		job->addresses[left] = job->wanted[i].address;
		left++;
	}
	job->count = left;
}

static void job_release(struct job *job)
{
	free(job->addresses);
	free(job->wanted);
	macho_release(&job->macho);
	file_release(&job->file);
}

static const char *text_or_null(const char *text, struct arena *arena)
{
	return text[0] ? arena_strdup(arena, text) : NULL;
}

static void fill_from_gsym(struct job *job, const struct gsym_answer *found,
                           struct symbol_answer *answer)
{
	struct arena *arena = job->arena;

	answer->source = SYMBOL_DWARF;
	answer->count = found->count;
	answer->calls =
	        arena_array(arena, found->count, sizeof(*answer->calls));
	for (size_t i = 0; i < found->count; i++) {
		const struct gsym_call *call = &found->calls[i];

		answer->calls[i] = (struct symbol_call){
			.name = demangle(text_from(call->name), false, arena),
			.mangled = arena_strdup(arena, call->name),
			.directory = text_or_null(call->directory, arena),
			.file = text_or_null(call->file, arena),
			.line = call->line,
			.line_borrowed = call->line_borrowed,
			.start = call->start - job->macho.text_address,
		};
	}
}

static struct error *answer_from_debug_info(struct job *job,
                                            struct symbol_image *ret)
{
	SCOPED(str_release) struct str image = { 0 };
	SCOPED(arena_release) struct arena scratch = { 0 };
	struct gsym_answer found;
	struct gsym gsym;
	struct error *err;

	err = debug_worker_run(&job->macho, job->addresses, job->count, &image,
	                       &ret->bad_unit_count);
	if (err)
		return err;
	err = gsym_open(bytes_from_text(str_text(&image)), &gsym);
	if (err)
		return err;
	for (size_t i = 0; i < job->count; i++) {
		if (!gsym_lookup(&gsym, job->addresses[i], &scratch, &found))
			continue;
		fill_from_gsym(job, &found,
		               &job->answers[job->wanted[i].query]);
		arena_clear(&scratch);
	}
	return NULL;
}

static void answer_from_symtab(struct job *job)
{
	SCOPED(mem_drop)
	struct symtab_answer *found = mem_zalloc(job->count, sizeof(*found));

	symtab_resolve(&job->macho, job->addresses, job->count, found);
	for (size_t i = 0; i < job->count; i++) {
		struct symbol_answer *answer =
		        &job->answers[job->wanted[i].query];
		struct symbol_call *call;

		if (!found[i].name.size)
			continue;
		answer->source = SYMBOL_SYMTAB;
		answer->count = 1;
		answer->calls = call = arena_alloc(job->arena, sizeof(*call));
		call->name = demangle(found[i].name, true, job->arena);
		call->mangled = arena_text(job->arena, found[i].name);
		call->start = found[i].start - job->macho.text_address;
	}
}

static struct error *job_open(struct job *job, const struct uuid_entry *entry)
{
	struct error *err = file_map(entry->path, &job->file);
	struct bytes slice;

	if (err)
		return err;
	slice = bytes_part(job->file.bytes, entry->offset, entry->size);
	err = macho_parse(slice, &job->macho);
	if (err)
		return err;
	// The file may have been replaced since it was indexed.
	if (!uuid_equal(&job->macho.uuid, &entry->uuid))
		return error_new(ERROR_FORMAT,
		                 "the file's UUID changed while it was in use");
	if (!job->macho.has_text)
		return error_new(ERROR_FORMAT, "it has no __TEXT segment");
	return NULL;
}

static void image_malformed(struct symbol_image *ret, struct error *err,
                            struct arena *arena)
{
	ret->status = SYMBOL_FILE_MALFORMED;
	ret->reason = arena_strdup(arena, error_message(err));
	error_free(err);
}

static void resolve_open(struct job *job, const struct symbol_query *queries,
                         size_t count, struct symbol_image *ret)
{
	struct error *err;

	ret->has_debug_info = debug_info_present(&job->macho);
	job_collect(job, queries, count);
	if (job->count && ret->has_debug_info) {
		err = answer_from_debug_info(job, ret);
		if (err)
			image_malformed(ret, err, job->arena);
		job_shrink(job);
	}
	if (job->count)
		answer_from_symtab(job);
}

void symbol_resolve_entry(const struct uuid_entry *entry,
                          const struct symbol_query *queries, size_t count,
                          struct arena *arena, struct symbol_answer *answers,
                          struct symbol_image *ret)
{
	SCOPED(job_release)
	struct job job = { .arena = arena, .answers = answers };
	struct error *err;

	*ret = (struct symbol_image){
		.status = SYMBOL_FILE_FOUND,
		.path = arena_strdup(arena, entry->path),
		.cpu_type = entry->cpu_type,
		.cpu_subtype = entry->cpu_subtype,
		.arch = macho_arch_name(entry->cpu_type, entry->cpu_subtype),
	};
	err = job_open(&job, entry);
	if (err)
		image_malformed(ret, err, arena);
	else
		resolve_open(&job, queries, count, ret);
}

static bool all_answered(const struct symbol_answer *answers, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (answers[i].source == SYMBOL_NONE)
			return false;
	return true;
}

void symbol_store_resolve(struct symbol_store *store, const struct uuid *uuid,
                          const struct symbol_query *queries, size_t count,
                          struct arena *arena, struct symbol_answer *answers,
                          struct symbol_image *ret)
{
	const struct uuid_entry *entries = NULL;
	size_t entry_count = 0;

	for (size_t i = 0; i < count; i++)
		answers[i] = (struct symbol_answer){ 0 };
	*ret = (struct symbol_image){ .status = SYMBOL_FILE_MISSING };
	if (!uuid_is_zero(uuid))
		entries = uuid_index_find(store->index, uuid, &entry_count);
	// The dSYM stands first; a binary of the same UUID may still know what
	// a damaged or stripped dSYM does not.
	for (size_t i = 0; i < entry_count; i++) {
		struct symbol_image image;

		store->opened++;
		symbol_resolve_entry(&entries[i], queries, count, arena,
		                     answers, &image);
		if (i == 0)
			*ret = image;
		if (all_answered(answers, count))
			break;
	}
}
