// SPDX-License-Identifier: MIT
#include "lib/symbols/debug_worker.h"

#include "lib/base/file.h"
#include "lib/base/mem.h"
#include "lib/symbols/debug_image.h"
#include "lib/symbols/worker/worker.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Memory limit: the larger of 4 GB and 8 times the sections.
#define MEMORY_BYTES_MIN         ((uint64_t)4 << 30)
#define MEMORY_BYTES_PER_SECTION 8
#define CPU_SECONDS              60
#define WALL_MS                  120000
// Offsets in a GSYM image have 32 bits.
#define RESULT_BYTES ((uint64_t)UINT32_MAX + sizeof(struct debug_faults))

/** Head of a child's request; the addresses follow. */
struct task {
	enum symbol_kind kind;
	struct symbol_locator at; ///< in the file
	uint64_t count;
	uint64_t reader;
	uint64_t check; ///< enum debug_check
};

/** The child's job. */
static struct error *make_image(const struct child_input *input,
                                struct str *result)
{
	struct open_source open;
	struct task task;
	struct debug_faults faults = { 0 }; // follows the image
	uint64_t *addresses;
	struct arena arena = { 0 }; // freed with the process
	struct error *err;

	memcpy(&task, input->request.data, sizeof(task));
	addresses = mem_zalloc((size_t)task.count, sizeof(*addresses));
	memcpy(addresses, input->request.data + sizeof(task),
	       (size_t)task.count * sizeof(*addresses));
	err = open_source_open(&open, task.kind, input->file, &task.at);
	if (!err)
		err = debug_image_make(&open, (enum debug_reader)task.reader,
		                       addresses, (size_t)task.count, &arena,
		                       result, &faults);
	if (!err)
		err = debug_info_cross_check(&open.state.debug,
		                             (enum debug_check)task.check,
		                             &faults.differences);
	str_add_bytes(result, &faults, sizeof(faults));
	return file_reading_error(err, input->file);
}

static const child_job jobs[] = { make_image };
const struct spawner_jobs debug_worker_jobs = { jobs, ARRAY_SIZE(jobs) };

static uint64_t memory_bytes(const struct symbol_state *state)
{
	uint64_t sections = state->debug_bytes;
	uint64_t wanted;

	// Overlapping sections do not raise the limit.
	if (sections > state->debug.slice.size)
		sections = state->debug.slice.size;
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
	const struct task task = { .kind = source->open->kind,
		                   .at = source->open->at,
		                   .count = count,
		                   .reader = source->reader,
		                   .check = source->check };
	SCOPED(str_release) struct str request = { 0 };
	struct work work = {
		.job = make_image,
		.file = source->file,
		.limits = {
			.memory_bytes = memory_bytes(&source->open->state),
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

struct error *debug_worker_unpack(struct str *image,
                                  struct debug_faults *ret_faults)
{
	struct debug_faults faults;

	if (image->size < sizeof(faults)) {
		struct error *err = error_new(ERROR_FORMAT,
		                              "the reader returned %zu bytes",
		                              image->size);

		str_release(image);
		return explain(err);
	}
	image->size -= sizeof(faults);
	memcpy(&faults, image->data + image->size, sizeof(faults));
	faults.reason[sizeof(faults.reason) - 1] = '\0';
	faults.differences.first[sizeof(faults.differences.first) - 1] = '\0';
	image->data[image->size] = '\0';
	if (ret_faults)
		*ret_faults = faults;
	return NULL;
}

struct error *debug_worker_finish(struct worker *worker, struct str *image,
                                  struct debug_faults *ret_faults)
{
	struct error *err = worker_finish(worker, image);

	return err ? explain(err) : debug_worker_unpack(image, ret_faults);
}
