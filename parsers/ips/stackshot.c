// SPDX-License-Identifier: MIT
#include "parsers/ips/other.h"

#include "lib/base/limit.h"
#include "lib/base/number.h"

#include <inttypes.h>
#include <string.h>

const cJSON *ips_stackshot(const cJSON *body)
{
	// In system watchdog reports (409) it is one level deeper.
	const cJSON *inner =
	        cJSON_GetObjectItemCaseSensitive(body, "stackshot");

	if (cJSON_GetObjectItemCaseSensitive(body, "processByPid"))
		return body;
	return cJSON_GetObjectItemCaseSensitive(inner, "processByPid") ? inner
	                                                               : NULL;
}

struct task {
	const char *name;
	uint64_t pid;
	bool has_pid;
};

/** `name [pid]`, followed by the thread's own name. */
static const char *thread_name(const struct task *task, const char *name,
                               struct arena *arena)
{
	const char *process = task->name ? task->name : "???";

	if (task->has_pid)
		process = arena_printf(arena, "%s [%" PRIu64 "]", process,
		                       task->pid);
	return name ? arena_printf(arena, "%s: %s", process, name) : process;
}

/** Kernel frames are innermost: they come first. */
static void read_stacks(const struct json_place *place, const cJSON *value,
                        struct report_stack *stack)
{
	struct arena *arena = place->reader->arena;
	struct report_stack user = { 0 };

	ips_read_stack(
	        place, "kernelFrames",
	        json_place_member(place, value, "kernelFrames", JSON_ARRAY),
	        stack);
	ips_read_stack(
	        place, "userFrames",
	        json_place_member(place, value, "userFrames", JSON_ARRAY),
	        &user);
	for (size_t i = 0; i < user.count; i++) {
		struct report_frame *frame = report_add_frame(stack, arena);

		*frame = user.frames[i];
		// Where the thread left its program, not a return address.
		frame->is_pc |= i == 0;
	}
}

static void read_thread(const struct json_place *place, const cJSON *value,
                        const struct task *task)
{
	static const struct json_field fields[] = {
		JSON_FIELD_HAS("id", JSON_FIELD_U64, struct report_thread, id,
		               has_id),
		JSON_FIELD("name", JSON_FIELD_TEXT, struct report_thread, name),
		JSON_FIELD("queue", JSON_FIELD_TEXT, struct report_thread,
		           queue),
	};
	struct report *report = place->reader->report;
	struct report_thread *thread =
	        report_add_thread(report, place->reader->arena);

	// Kernel ids give no meaningful order.
	thread->number = report->thread_count - 1;
	if (!cJSON_IsObject(value))
		json_place_unexpected(place, NULL, value, "an object");
	json_place_fields(place, value, fields, ARRAY_SIZE(fields), thread);
	thread->name = thread_name(task, thread->name, place->reader->arena);
	read_stacks(place, value, &thread->stack);
}

/** The decimal number after @p label. */
static bool read_number_after(struct text line, const char *label,
                              uint64_t *ret)
{
	size_t at = text_find(line, label);
	struct text rest = text_after(line, at + strlen(label));
	size_t size = 0;

	while (at != TEXT_NOWHERE && size < rest.size &&
	       text_is_digit(rest.data[size]))
		size++;
	return size && number_decimal(text_first(rest, size), ret);
}

/**
 * Waits: `thread 12: kernel mutex 0x… owned by thread 34`, `thread 12: blocked
 * on 34, hops: 1, priority: 46`. Other waits have no owner.
 */
static void read_waits(const struct json_place *place, const cJSON *value,
                       const char *key, const struct task *task)
{
	struct arena *arena = place->reader->arena;
	const cJSON *list = json_place_member(place, value, key, JSON_ARRAY);
	size_t index = 0;

	for (const cJSON *item = cJSON_GetArrayItem(list, 0); item;
	     item = item->next, index++) {
		struct text line = json_scalar(item);
		struct report_wait wait = { .has_owner_thread = true };

		if (!read_number_after(line, "thread ", &wait.thread) ||
		    (!read_number_after(line, " owned by thread ",
		                        &wait.owner_thread) &&
		     !read_number_after(line, ": blocked on ",
		                        &wait.owner_thread)))
			continue;
		wait.process = (struct report_process_ref){
			.name = task->name ? task->name : "???",
			.pid = task->pid,
			.has_pid = task->has_pid,
		};
		wait.place = arena_printf(arena, "processByPid.%s.%s[%zu]",
		                          value->string, key, index);
		*report_add_wait(place->reader->report, arena) = wait;
	}
}

static void read_process(const struct json_place *place, const cJSON *value,
                         size_t *skipped)
{
	static const struct json_field fields[] = {
		JSON_FIELD("procname", JSON_FIELD_TEXT, struct task, name),
		JSON_FIELD_HAS("pid", JSON_FIELD_U64, struct task, pid,
		               has_pid),
	};
	const struct report *report = place->reader->report;
	struct json_place threads = { place->reader, place, "threadById",
		                      JSON_NO_INDEX };
	struct task task = { 0 };

	if (!cJSON_IsObject(value)) {
		json_place_unexpected(place, NULL, value, "an object");
		return;
	}
	json_place_fields(place, value, fields, ARRAY_SIZE(fields), &task);
	for (const cJSON *thread = cJSON_GetArrayItem(
	             json_place_member(place, value, "threadById", JSON_OBJECT),
	             0);
	     thread; thread = thread->next) {
		struct json_place here = { place->reader, &threads,
			                   thread->string, JSON_NO_INDEX };

		if (report->thread_count < limit_get(LIMIT_THREADS))
			read_thread(&here, thread, &task);
		else
			++*skipped;
	}
	read_waits(place, value, "waitInfo", &task);
	read_waits(place, value, "turnstileInfo", &task);
}

void ips_read_stackshot(const struct json_place *body_place,
                        const cJSON *stackshot)
{
	struct json_place place = { body_place->reader, NULL, "processByPid",
		                    JSON_NO_INDEX };
	size_t skipped = 0;

	ips_read_images(body_place, "binaryImages", stackshot);
	for (const cJSON *process = cJSON_GetArrayItem(
	             json_place_member(body_place, stackshot, "processByPid",
	                               JSON_OBJECT),
	             0);
	     process; process = process->next) {
		struct json_place here = { place.reader, &place,
			                   process->string, JSON_NO_INDEX };

		read_process(&here, process, &skipped);
	}
	if (skipped)
		json_place_note_limit(&place, NULL, LIMIT_THREADS,
		                      limit_get(LIMIT_THREADS) + skipped,
		                      "threads");
	report_place_frames(place.reader->report);
}
