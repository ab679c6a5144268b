#include "lib/symbols/debug_worker.h"

#include "lib/base/file.h"
#include "lib/base/mem.h"
#include "lib/symbols/demangle/demangle.h"
#include "lib/symbols/demangle/swift.h"
#include "lib/symbols/gsym/gsym.h"
#include "lib/symbols/symtab.h"
#include "lib/symbols/worker.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// reliability: the larger of 4 GB and 8 times the sections.
#define MEMORY_BYTES_MIN         ((uint64_t)4 << 30)
#define MEMORY_BYTES_PER_SECTION 8
#define CPU_SECONDS              60
#define WALL_MS                  120000
// Offsets in a GSYM image have 32 bits.
#define RESULT_BYTES ((uint64_t)UINT32_MAX + sizeof(struct trailer))

/** The request to the child; the addresses follow. */
struct task {
	uint64_t offset; ///< of the slice in the file
	uint64_t size;
	uint64_t count;
	uint64_t reader;
};

/** Follows the image in the child's result. */
struct trailer {
	uint64_t bad_units;
};

/** Names that say all: mangled ones and Objective-C's. */
static bool is_full_name(struct text name)
{
	static const char *const beginnings[] = { "_Z", "$s", "_$s", "$S",
		                                  "_T", "_R", "-[",  "+[" };

	for (size_t i = 0; i < ARRAY_SIZE(beginnings); i++)
		if (text_starts(name, beginnings[i]))
			return true;
	return false;
}

/** A name without template arguments: `create` of `create<6>`. */
static struct text bare_name(struct text name)
{
	size_t at = text_starts(name, "operator") ? TEXT_NOWHERE
	                                          : text_find_char(name, '<');

	return at == TEXT_NOWHERE ? name : text_first(name, at);
}

/**
 * Is @p symbol the mangled form of @p plain? Mangling spells a name with its
 * length before it, but for `operator()`, `~Node` and Swift's `init`, whose
 * printed form says so. A symbol of another function that the linker folded
 * onto the same address does not pass.
 */
static bool mangles(struct text symbol, const char *plain)
{
	struct text bare = bare_name(text_from(plain));
	SCOPED(str_release) struct str spelled = { 0 };
	SCOPED(arena_release) struct arena arena = { 0 };
	struct demangled whole;

	// `title.get`: how it is accessed is a letter further on.
	if (swift_is_mangled(symbol))
		bare = text_first(bare, text_find_char(bare, '.'));
	str_addf(&spelled, "%zu", bare.size);
	str_add_text(&spelled, bare);
	if (text_find(symbol, str_cstr(&spelled)) != TEXT_NOWHERE)
		return true;
	whole = demangle_whole(symbol, DEMANGLE_SHORT, &arena);
	return whole.parts.base &&
	       text_equal(bare_name(text_from(whole.parts.base)), bare);
}

/**
 * Old compilers left the linkage name, or any name, out of some functions.
 * Where the symbol table has it, at exactly the start of the function, it is
 * taken from there.
 */
static void complete_names(struct debug_info *info, const struct macho *macho,
                           struct arena *arena)
{
	size_t *plain = mem_zalloc(info->function_count, sizeof(*plain));
	uint64_t *starts = mem_zalloc(info->function_count, sizeof(*starts));
	struct symtab_answer *answers;
	size_t count = 0;

	for (size_t i = 0; i < info->function_count; i++) {
		if (is_full_name(text_from(info->functions[i].name)))
			continue;
		plain[count] = i;
		starts[count++] = info->functions[i].range.low;
	}
	answers = mem_zalloc(count, sizeof(*answers));
	if (count)
		symtab_find_starts(macho, starts, count, answers);
	for (size_t i = 0; i < count; i++) {
		struct debug_function *function = &info->functions[plain[i]];
		struct text symbol = answers[i].name;

		// C's leading underscore comes before all mangling.
		if (!text_take(&symbol, "_"))
			continue;
		if (function->name[0] &&
		    (!is_full_name(symbol) || !mangles(symbol, function->name)))
			continue;
		function->name = arena_text(arena, symbol);
	}
	free(answers);
	free(starts);
	free(plain);
}

static struct error *read_slice(const struct macho *macho,
                                const struct task *task,
                                const uint64_t *addresses, struct str *result)
{
	struct arena arena = { 0 }; // goes with the process
	struct debug_info info = { 0 };
	struct trailer trailer;
	struct error *err;

	err = debug_info_collect(macho, (enum debug_reader)task->reader,
	                         addresses, (size_t)task->count, &arena, &info);
	if (err)
		return err;
	complete_names(&info, macho, &arena);
	if (!task->count)
		file_forget(macho->slice);
	err = gsym_write(&info, &macho->uuid, result);
	trailer.bad_units = info.bad_unit_count;
	str_add_bytes(result, &trailer, sizeof(trailer));
	return err;
}

/** The child's job. */
static struct error *make_image(const struct child_input *input,
                                struct str *result)
{
	struct bytes slice;
	struct task task;
	struct macho macho;
	uint64_t *addresses;
	struct error *err;

	memcpy(&task, input->request.data, sizeof(task));
	addresses = mem_zalloc((size_t)task.count, sizeof(*addresses));
	memcpy(addresses, input->request.data + sizeof(task),
	       (size_t)task.count * sizeof(*addresses));
	slice = bytes_part(input->file, task.offset, task.size);
	err = macho_parse(slice, &macho);
	if (!err)
		err = read_slice(&macho, &task, addresses, result);
	return file_reading_error(err, slice);
}

static uint64_t memory_bytes(const struct macho *macho)
{
	uint64_t sections = 0;
	uint64_t wanted;

	for (size_t i = 0; i < macho->section_count; i++)
		sections += macho->sections[i].contents.size;
	// Sections that overlap do not buy more.
	if (sections > macho->slice.size)
		sections = macho->slice.size;
	wanted = sections * MEMORY_BYTES_PER_SECTION;
	return wanted > MEMORY_BYTES_MIN ? wanted : MEMORY_BYTES_MIN;
}

static struct error *explain(struct error *err)
{
	if (error_code(err) == ERROR_FORMAT)
		return error_prefix(err, "debug information is malformed");
	return error_prefix(err, "cannot read debug information");
}

struct error *debug_worker_start(const struct debug_source *source,
                                 const uint64_t *addresses, size_t count,
                                 struct worker **ret)
{
	const struct task task = { .offset = source->offset,
		                   .size = source->macho->slice.size,
		                   .count = count,
		                   .reader = source->reader };
	SCOPED(str_release) struct str request = { 0 };
	struct work work = {
		.job = make_image,
		.file = source->file,
		.limits = {
			.memory_bytes = memory_bytes(source->macho),
			.cpu_seconds = CPU_SECONDS,
			.wall_ms = WALL_MS,
			.result_bytes = RESULT_BYTES,
		},
	};
	struct error *err;

	str_add_bytes(&request, &task, sizeof(task));
	str_add_bytes(&request, addresses, count * sizeof(*addresses));
	work.request = bytes_from_text(str_text(&request));
	err = worker_start(source->spawner, &work, ret);
	return err ? explain(err) : NULL;
}

struct error *debug_worker_unpack(struct str *image, size_t *ret_bad_units)
{
	struct trailer trailer;

	if (image->size < sizeof(trailer)) {
		struct error *err = error_new(
		        ERROR_FORMAT, "reading it gave a result of %zu bytes",
		        image->size);

		str_release(image);
		return explain(err);
	}
	image->size -= sizeof(trailer);
	memcpy(&trailer, image->data + image->size, sizeof(trailer));
	image->data[image->size] = '\0';
	if (ret_bad_units)
		*ret_bad_units = (size_t)trailer.bad_units;
	return NULL;
}

struct error *debug_worker_finish(struct worker *worker, struct str *image,
                                  size_t *ret_bad_units)
{
	struct error *err = worker_finish(worker, image);

	return err ? explain(err) : debug_worker_unpack(image, ret_bad_units);
}

struct error *debug_worker_run(const struct macho *macho,
                               enum debug_reader reader,
                               const uint64_t *addresses, size_t count,
                               struct str *image, size_t *ret_bad_units)
{
	struct debug_source source = { .macho = macho, .reader = reader };
	struct worker *worker;
	struct error *err = file_of_bytes(macho->slice, &source.file);

	if (err)
		return err;
	err = debug_worker_start(&source, addresses, count, &worker);
	close(source.file);
	return err ? err : debug_worker_finish(worker, image, ret_bad_units);
}
