#include "lib/symbols/debug_worker.h"

#include "lib/symbols/gsym.h"
#include "lib/symbols/worker.h"

#include <string.h>

// reliability: the larger of 4 GB and 8 times the sections.
#define MEMORY_BYTES_MIN         ((uint64_t)4 << 30)
#define MEMORY_BYTES_PER_SECTION 8
#define CPU_SECONDS              60
#define WALL_MS                  120000
// Offsets in a GSYM image have 32 bits.
#define RESULT_BYTES ((uint64_t)UINT32_MAX + sizeof(struct trailer))

struct task {
	const struct macho *macho;
	const uint64_t *addresses;
	size_t count;
};

/** Follows the image in the child's result. */
struct trailer {
	uint64_t bad_units;
};

static struct error *make_image(void *context, struct str *result)
{
	const struct task *task = context;
	struct arena arena = { 0 }; // goes with the process
	struct debug_info info = { 0 };
	struct trailer trailer;
	struct error *err;

	err = debug_info_collect(task->macho, task->addresses, task->count,
	                         &arena, &info);
	if (err)
		return err;
	if ((err = gsym_write(&info, &task->macho->uuid, result)))
		return err;
	trailer.bad_units = info.bad_unit_count;
	str_add_bytes(result, &trailer, sizeof(trailer));
	return NULL;
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

struct error *debug_worker_run(const struct macho *macho,
                               const uint64_t *addresses, size_t count,
                               struct str *image, size_t *ret_bad_units)
{
	struct task task = { macho, addresses, count };
	const struct worker_limits limits = {
		.memory_bytes = memory_bytes(macho),
		.cpu_seconds = CPU_SECONDS,
		.wall_ms = WALL_MS,
		.result_bytes = RESULT_BYTES,
	};
	struct trailer trailer;
	struct error *err;

	if ((err = worker_run(make_image, &task, &limits, image)))
		return explain(err);
	if (image->size < sizeof(trailer)) {
		err = error_new(ERROR_FORMAT,
		                "reading it gave a result of %zu bytes",
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
