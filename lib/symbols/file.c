// SPDX-License-Identifier: MIT
#include "lib/symbols/file.h"

#include "lib/base/file.h"
#include "lib/base/mem.h"
#include "lib/base/number.h"
#include "lib/base/str.h"
#include "lib/symbols/cache/debug_cache.h"
#include "lib/symbols/call_names.h"
#include "lib/symbols/debug_image.h"
#include "lib/symbols/debug_worker.h"
#include "lib/symbols/gsym/gsym.h"
#include "lib/symbols/gsym/guard.h"
#include "lib/symbols/source/source.h"
#include "lib/text/archive.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/** Min addresses for an additional child. */
#define PART_ADDRESSES 64
#define PARTS_MAX      64
/** Memory of a request: 32 MB, plus ten inlined calls per address. */
#define ANSWER_BYTES             ((size_t)32 << 20)
#define ANSWER_BYTES_PER_ADDRESS 512

struct symbol_file {
	struct file_data data;
	char *path;
	int unpacked; ///< a file in memory with decompressed data; or -1
	struct spawner *spawner; ///< forks children; NULL: this process does
	struct file_stamp stamp; ///< of the file or its archive
	struct open_source open;
	struct call_names names;
	enum debug_reader reader;
	enum debug_check check;
	struct debug_faults faults; ///< of the first read with faults
	struct debug_differences differences;
	size_t answer_bytes_left; ///< for the current request
};

void symbol_file_expect(struct symbol_file *file, size_t address_count)
{
	file->answer_bytes_left = ANSWER_BYTES +
	                          address_count * ANSWER_BYTES_PER_ADDRESS;
}

/** Files of an archive share its stamp: add their names. */
static struct file_stamp stamp_of(const struct uuid_entry *entry,
                                  const struct file_data *data)
{
	struct file_stamp stamp = data->stamp;
	struct text name = text_from(entry->path);

	if (data->mapped || !stamp.size)
		return stamp;
	name = text_after(name, archive_path_length(entry->path));
	stamp.inode ^= guard_sum(bytes_from_text(name));
	return stamp;
}

static struct error *open_data(struct symbol_file *file,
                               const struct uuid_entry *entry)
{
	struct error *err = archive_map(entry->path, &file->data);

	if (err)
		return err;
	file->path = mem_strndup(entry->path, strlen(entry->path));
	file->stamp = stamp_of(entry, &file->data);
	return NULL;
}

static struct error *open_symbols(struct symbol_file *file,
                                  const struct uuid_entry *entry)
{
	const struct symbol_state *state = &file->open.state;
	struct error *err = open_source_open(&file->open, entry->kind,
	                                     file->data.bytes, &entry->at);

	if (err)
		return err;
	if (state->no_base)
		return error_new(ERROR_FORMAT, "%s", state->no_base);
	// The file may have been replaced after it was indexed.
	if (!uuid_equal(&state->uuid, &entry->uuid))
		return error_new(ERROR_FORMAT,
		                 "the file's UUID changed while it was in use");
	return NULL;
}

/** Move decompressed data to a file, as children map their input. */
static struct error *move_to_file(struct symbol_file *file,
                                  const struct uuid_entry *entry)
{
	struct error *err = file_of_bytes(file->data.bytes, &file->unpacked);

	if (err)
		return err;
	open_source_close(&file->open);
	file_release(&file->data);
	err = file_map_open(file->unpacked, &file->data);
	return err ? err : open_symbols(file, entry);
}

struct error *symbol_file_open(const struct uuid_entry *entry,
                               struct symbol_file **ret)
{
	struct symbol_file *file = mem_zalloc(1, sizeof(*file));
	struct error *err;

	file->unpacked = -1;
	err = open_data(file, entry);
	if (!err)
		err = open_symbols(file, entry);
	if (!err && !file->data.mapped && symbol_file_is_read(file))
		err = move_to_file(file, entry);
	if ((err = file_reading_error(err, file->data.bytes))) {
		symbol_file_close(file);
		return err;
	}
	symbol_file_expect(file, 0);
	*ret = file;
	return NULL;
}

struct error *symbol_file_check_whole(const struct symbol_file *file)
{
	const struct open_source *open = &file->open;

	return open->source->check_whole ? open->source->check_whole(open->self)
	                                 : NULL;
}

void symbol_file_forget(struct symbol_file *file)
{
	call_names_forget(&file->names);
}

void symbol_file_close(struct symbol_file *file)
{
	if (!file)
		return;
	symbol_file_forget(file);
	open_source_close(&file->open);
	file_release(&file->data);
	if (file->unpacked >= 0)
		close(file->unpacked);
	free(file->path);
	free(file);
}

void symbol_file_use_map(struct symbol_file *file, const struct symbol_map *map)
{
	file->names.map = map;
}

void symbol_file_use_names(struct symbol_file *file,
                           struct printed_names *printed,
                           enum demangle_form form)
{
	file->names.printed = printed;
	file->names.form = form;
}

void symbol_file_use_reader(struct symbol_file *file, enum debug_reader reader)
{
	file->reader = reader;
}

void symbol_file_compare_readers(struct symbol_file *file,
                                 enum debug_check check)
{
	file->check = check;
}

const struct debug_differences *symbol_file_differences(
        const struct symbol_file *file)
{
	return &file->differences;
}

void symbol_file_use_spawner(struct symbol_file *file, struct spawner *spawner)
{
	file->spawner = spawner;
}

size_t symbol_file_unpacked_bytes(const struct symbol_file *file)
{
	bool is_packed = file->unpacked >= 0 || !file->data.mapped;

	return is_packed ? file->data.bytes.size : 0;
}

bool symbol_file_has_debug_info(const struct symbol_file *file)
{
	return file->open.state.has_lines;
}

const char *symbol_file_bad_unit(const struct symbol_file *file)
{
	return file->faults.reason;
}

bool symbol_file_is_read(const struct symbol_file *file)
{
	return open_source_has_debug(&file->open);
}

struct debug_cache *symbol_file_open_cache(const struct symbol_file *file,
                                           struct cache_directory *directory)
{
	const struct symbol_state *state = &file->open.state;
	struct bytes slice = state->debug.slice;

	if (!symbol_file_is_read(file) ||
	    (directory && (uuid_is_zero(&state->uuid) || !file->stamp.size)))
		return NULL;
	return debug_cache_open(directory, &state->uuid, slice,
	                        (uint64_t)(slice.data - file->data.bytes.data),
	                        &file->stamp, file->reader, state->debug_bytes);
}

uint64_t symbol_file_address(const struct symbol_file *file, uint64_t offset)
{
	uint64_t address;

	// Saturate: addresses must ascend as their offsets do, and one wild
	// frame must not affect the others.
	if (__builtin_add_overflow(file->open.state.base_address, offset,
	                           &address))
		return UINT64_MAX;
	return address;
}

/** Consecutive addresses that are read together. */
struct part {
	struct worker *worker; ///< or NULL
	struct str image;      ///< if read in this process
	bool waits;            ///< start it after others are done
	size_t first;
	size_t count;
};

struct symbol_task {
	struct symbol_file *file;
	const uint64_t *addresses;
	struct part parts[PARTS_MAX];
	size_t part_count;
	struct error *failure; ///< the first one
	void (*keep)(struct str *image, void *context);
	void *keep_context;
};

static void task_fail(struct symbol_task *task, struct error *err)
{
	if (task->failure)
		error_free(err);
	else
		task->failure = err;
}

static struct error *start_worker(const struct symbol_file *file,
                                  const uint64_t *addresses, size_t count,
                                  struct worker **ret)
{
	struct debug_source source = {
		.spawner = file->spawner,
		.open = &file->open,
		.file = file->unpacked,
		.reader = file->reader,
		.check = file->check,
	};
	struct error *err = NULL;

	// Mapped files have no open descriptor: there may be thousands.
	if (file->unpacked < 0)
		err = file_open_again(file->path, &file->stamp, &source.file);
	if (err)
		return err;
	err = debug_worker_start(&source, addresses, count, ret);
	if (file->unpacked < 0)
		close(source.file);
	return err;
}

/** @param may_wait  If the system is out of processes, try again later. */
static void part_start(struct symbol_task *task, struct part *part,
                       bool may_wait)
{
	const uint64_t *addresses =
	        task->addresses ? task->addresses + part->first : NULL;
	struct error *err =
	        start_worker(task->file, addresses, part->count, &part->worker);

	part->waits = err && may_wait && error_code(err) == ERROR_SHORTAGE;
	if (part->waits)
		error_free(err);
	else if (err)
		task_fail(task, err);
}

struct symbol_task *symbol_task_start(struct symbol_file *file,
                                      const uint64_t *addresses, size_t count,
                                      unsigned jobs)
{
	struct symbol_task *task = mem_zalloc(1, sizeof(*task));
	size_t parts = (count + PART_ADDRESSES - 1) / PART_ADDRESSES;

	if (parts > jobs)
		parts = jobs ? jobs : 1;
	if (parts > PARTS_MAX)
		parts = PARTS_MAX;
	task->file = file;
	task->addresses = addresses;
	task->part_count = parts;
	for (size_t i = 0; i < parts; i++) {
		struct part *part = &task->parts[i];

		part->first = count / parts * i;
		part->count = i + 1 < parts ? count / parts
		                            : count - part->first;
		part_start(task, part, true);
	}
	return task;
}

struct symbol_task *symbol_task_start_whole(struct symbol_file *file)
{
	struct symbol_task *task = mem_zalloc(1, sizeof(*task));

	task->file = file;
	task->part_count = 1;
	part_start(task, &task->parts[0], true);
	return task;
}

void symbol_task_keep(struct symbol_task *task,
                      void (*keep)(struct str *image, void *context),
                      void *context)
{
	task->keep = keep;
	task->keep_context = context;
}

/**
 * A failed check of Swift shows as an inlined function with the check's name,
 * in generated code. Its line is that of the code with the check.
 */
static void set_trap(struct symbol_answer *answer)
{
	struct symbol_call *trap = &answer->calls[0];

	if (answer->count < 2 || (trap->line && !trap->line_borrowed) ||
	    !text_starts(text_from(trap->name), "Swift runtime failure: "))
		return;
	trap->directory = trap[1].directory;
	trap->directory_size = trap[1].directory_size;
	trap->file = trap[1].file;
	trap->file_size = trap[1].file_size;
	trap->line = trap[1].line;
	trap->column = trap[1].column;
	trap->line_borrowed = trap[1].line_borrowed;
}

void symbol_file_fill(struct symbol_file *file, const struct gsym_answer *found,
                      bool stays, struct arena *arena,
                      struct symbol_answer *answer)
{
	size_t bytes_before = arena->total_bytes;
	size_t bytes = 0;

	answer->is_abridged = found->count > 1 && !file->answer_bytes_left;
	answer->source = SYMBOL_DWARF;
	answer->count = answer->is_abridged ? 1 : (uint32_t)found->count;
	answer->calls =
	        arena_array(arena, answer->count, sizeof(*answer->calls));
	for (size_t i = 0; i < answer->count; i++) {
		const struct gsym_call *call =
		        &found->calls[found->count - answer->count + i];

		answer->calls[i] = (struct symbol_call){
			.line = call->line,
			.column = call->column,
			.line_borrowed = call->line_borrowed,
			.is_unnamed = call->is_unnamed,
			.start = call->start - file->open.state.base_address,
		};
		bytes += call_names_set(&file->names, call, stays, arena,
		                        &answer->calls[i]);
	}
	set_trap(answer);
	bytes += arena->total_bytes - bytes_before;
	file->answer_bytes_left =
	        number_difference(file->answer_bytes_left, bytes);
}

/**
 * The error of reading the file, to be checked after its strings are copied;
 * takes @p err. Decompressed data cannot change.
 */
static struct error *reading_error(const struct symbol_file *file,
                                   struct error *err)
{
	err = file_reading_error(err, file->data.bytes);
	if (err || !file->data.mapped || file->unpacked >= 0 ||
	    !file_is_overwritten(file->path, &file->stamp))
		return err;
	return file_changed_error();
}

static struct error *read_part(struct symbol_task *task, struct part *part,
                               struct arena *arena,
                               struct symbol_answer *answers, size_t *bad_units)
{
	SCOPED(str_release) struct str image = part->image;
	SCOPED(arena_release) struct arena scratch = { 0 };
	struct gsym_answer found;
	struct gsym gsym;
	struct gsym_walk walk = { .gsym = &gsym };
	struct debug_faults faults = { 0 };
	struct error *err = NULL;

	part->image = (struct str){ 0 };
	if (part->worker)
		err = debug_worker_finish(part->worker, &image, &faults);
	err = reading_error(task->file, err);
	*bad_units = (size_t)faults.count;
	if (faults.count && !task->file->faults.count)
		task->file->faults = faults;
	if (faults.differences.function_count)
		task->file->differences = faults.differences;
	if (!err)
		err = gsym_open(bytes_from_text(str_text(&image)), &gsym);
	if (err)
		return err;
	for (size_t i = part->first; i < part->first + part->count; i++) {
		if (gsym_walk_lookup(&walk, task->addresses[i], &scratch,
		                     &found))
			symbol_file_fill(task->file, &found, false, arena,
			                 &answers[i]);
		arena_clear(&scratch);
	}
	if (task->keep && !*bad_units)
		task->keep(&image, task->keep_context);
	return NULL;
}

static void part_finish(struct symbol_task *task, struct part *part,
                        struct arena *arena, struct symbol_answer *answers,
                        size_t *bad_units)
{
	size_t bad_here = 0;
	struct error *err;

	if (!part->worker && !part->image.size)
		return;
	err = read_part(task, part, arena, answers, &bad_here);
	if (err)
		task_fail(task, err);
	// Parts may share bad units.
	if (bad_here > *bad_units)
		*bad_units = bad_here;
}

struct error *symbol_task_finish(struct symbol_task *task, struct arena *arena,
                                 struct symbol_answer *answers,
                                 size_t *bad_units)
{
	struct error *failure;

	for (size_t i = 0; i < task->part_count; i++)
		part_finish(task, &task->parts[i], arena, answers, bad_units);
	// The other children have ended.
	for (size_t i = 0; i < task->part_count; i++) {
		struct part *part = &task->parts[i];

		if (!part->waits)
			continue;
		part_start(task, part, false);
		part_finish(task, part, arena, answers, bad_units);
	}
	failure = task->failure;
	free(task);
	return failure;
}

/** Context of a symbol_sink that fills answers. */
struct filling {
	struct symbol_sink sink;
	struct symbol_file *file;
	struct arena *arena;
	struct symbol_answer *answers;
};

/** A symbol_sink's `found`. */
static void fill_found(struct symbol_sink *sink, size_t index,
                       const struct symbol_found *found)
{
	struct filling *filling = (struct filling *)sink;
	struct symbol_answer *answer = &filling->answers[index];
	struct symbol_file *file = filling->file;

	if (found->calls) {
		symbol_file_fill(file, found->calls, true, filling->arena,
		                 answer);
	} else if (found->name.size) {
		answer->source = SYMBOL_SYMTAB;
		answer->count = 1;
		answer->calls =
		        arena_alloc(filling->arena, sizeof(*answer->calls));
		call_names_set_name(&file->names, found->name,
		                    found->is_of_linker, filling->arena,
		                    answer->calls);
		answer->calls->start = found->start -
		                       file->open.state.base_address;
	}
	answer->is_doubted = found->is_doubted;
}

struct error *symbol_file_read_in_place(struct symbol_file *file,
                                        const uint64_t *addresses, size_t count,
                                        struct arena *arena,
                                        struct symbol_answer *answers)
{
	SCOPED(mem_drop)
	uint64_t *wanted = mem_zalloc(count, sizeof(*wanted));
	SCOPED(mem_drop) size_t *places = mem_zalloc(count, sizeof(*places));
	SCOPED(mem_drop)
	struct symbol_answer *filled = mem_zalloc(count, sizeof(*filled));
	struct filling filling = { .sink = { fill_found },
		                   .file = file,
		                   .arena = arena,
		                   .answers = filled };
	struct error *err;
	size_t left = 0;

	for (size_t i = 0; i < count; i++) {
		if (answers[i].source != SYMBOL_NONE)
			continue;
		wanted[left] = addresses[i];
		places[left++] = i;
	}
	if (left)
		file->open.source->resolve(file->open.self, wanted, left,
		                           &filling.sink);
	err = reading_error(file, NULL);
	for (size_t i = 0; !err && i < left; i++)
		answers[places[i]] = filled[i];
	return err;
}
