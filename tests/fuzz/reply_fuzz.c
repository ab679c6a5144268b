// SPDX-License-Identifier: MIT
/*
 * What a child that was taken over may send: the input is all of it, up to its
 * end. Whatever passes for an image is looked up in, as an answer would be.
 */
#include "lib/base/timestamp.h"
#include "lib/symbols/debug_worker.h"
#include "lib/symbols/gsym/gsym.h"
#include "lib/symbols/worker/worker.h"

#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/** Less than a socket takes without a reader. */
#define SENT_BYTES_MAX ((size_t)64 << 10)

static void look_up(struct bytes image)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct gsym gsym;
	struct gsym_walk walk = { .gsym = &gsym };
	struct gsym_answer answer;
	struct error *err = gsym_open(image, &gsym);

	error_free(err);
	if (err)
		return;
	for (uint64_t i = 0; i < 64; i++)
		(void)gsym_walk_lookup(&walk, gsym.base_address + i * 0x34,
		                       &arena, &answer);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct child_limits limits = {
		.wall_ms = 1000,
		.cpu_seconds = 1,
		.result_bytes = SENT_BYTES_MAX,
	};
	SCOPED(str_release) struct str image = { 0 };
	struct error *err = NULL;
	struct debug_faults faults;
	int64_t soon = timestamp_now_ms() + limits.wall_ms;
	enum channel_end end;
	int ends[2];

	if (size > SENT_BYTES_MAX || !channel_open(ends))
		return 0;
	end = channel_send(ends[1], data, size, soon);
	close(ends[1]);
	if (end == CHANNEL_ALL)
		end = worker_receive(ends[0], &limits, soon, &image, &err);
	close(ends[0]);
	if (end == CHANNEL_LATE)
		__builtin_trap();
	if (end == CHANNEL_ALL && !err)
		err = debug_worker_unpack(&image, &faults);
	if (end == CHANNEL_ALL && !err)
		look_up(bytes_from_text(str_text(&image)));
	error_free(err);
	return 0;
}
