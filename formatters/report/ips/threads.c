// SPDX-License-Identifier: MIT
#include "formatters/report/ips/ips.h"

#include "lib/base/number.h"

#include <string.h>

static void add_frames(struct json_writer *w, const char *key,
                       const struct report *report,
                       const struct report_stack *stack)
{
	size_t absolute = ips_absolute_image(report);

	json_open_array(w, key);
	for (size_t i = 0; i < stack->count; i++)
		ips_add_frame(w, &stack->frames[i], absolute);
	json_close(w);
}

static void add_thread(struct json_writer *w, const struct report *report,
                       const struct report_thread *thread)
{
	json_open_object(w, NULL);
	if (thread->crashed)
		json_bool(w, "triggered", true);
	if (thread->has_id)
		json_number(w, "id", thread->id);
	json_text(w, "name", thread->name);
	ips_add_registers(w, report, thread);
	json_text(w, "queue", thread->queue);
	add_frames(w, "frames", report, &thread->stack);
	json_close(w);
}

/** The index of the faulting thread: JSON has no numbers. */
static void add_faulting(struct json_writer *w, const struct report *report)
{
	const struct report_thread *crashed = report_crashed_thread(report);

	for (size_t i = 0; crashed && i < report->thread_count; i++) {
		if (report->threads[i] != crashed)
			continue;
		json_number(w, "faultingThread", i);
		return;
	}
}

static void add_highlighted(struct json_writer *w, const struct report *report)
{
	const char *value = report_field(report, "Highlighted by Thread");
	uint64_t number;

	if (!value || !number_decimal(text_from(value), &number))
		return;
	json_open_object(w, "legacyInfo");
	json_number(w, "threadHighlighted", number);
	json_close(w);
}

void ips_add_threads(struct json_writer *w, const struct report *report)
{
	if (report->exception_backtrace.count)
		add_frames(w, "lastExceptionBacktrace", report,
		           &report->exception_backtrace);
	add_faulting(w, report);
	json_open_array(w, "threads");
	for (size_t i = 0; i < report->thread_count; i++)
		add_thread(w, report, report->threads[i]);
	json_close(w);
	add_highlighted(w, report);
}

/** As in Apple's files: without name and path. */
static void add_absolute(struct json_writer *w)
{
	const struct uuid none = { 0 };
	char uuid[UUID_TEXT_SIZE];

	json_open_object(w, NULL);
	json_number(w, "size", 0);
	json_text(w, "source", "A");
	json_number(w, "base", 0);
	json_text(w, "uuid", uuid_format_lower(&none, uuid));
	json_close(w);
}

static void add_image(struct json_writer *w, const struct report_image *image)
{
	char kind[] = { image->kind ? image->kind : 'P', '\0' };
	char uuid[UUID_TEXT_SIZE];

	if (ips_is_absolute(image)) {
		add_absolute(w);
		return;
	}
	json_open_object(w, NULL);
	json_text(w, "source", kind);
	json_text(w, "arch", image->arch);
	json_number(w, "base", image->base);
	json_text(w, "CFBundleShortVersionString", image->version);
	json_text(w, "CFBundleIdentifier", image->bundle_id);
	json_number(w, "size", report_image_size(image));
	if (!uuid_is_zero(&image->uuid))
		json_text(w, "uuid", uuid_format_lower(&image->uuid, uuid));
	json_text(w, "path", ips_known(image->path));
	json_text(w, "name", ips_known(image->name));
	json_text(w, "CFBundleVersion", image->build);
	json_close(w);
}

static bool has_absolute_frame(const struct report_stack *stack)
{
	for (size_t i = 0; i < stack->count; i++)
		if (stack->frames[i].image == REPORT_NO_IMAGE)
			return true;
	return false;
}

/** Is any frame in no image? */
static bool needs_absolute(const struct report *report)
{
	if (has_absolute_frame(&report->exception_backtrace))
		return true;
	for (size_t i = 0; i < report->thread_count; i++)
		if (has_absolute_frame(&report->threads[i]->stack))
			return true;
	return false;
}

void ips_add_images(struct json_writer *w, const struct report *report)
{
	json_open_array(w, "usedImages");
	for (size_t i = 0; i < report->image_count; i++)
		add_image(w, &report->images[i]);
	if (ips_absolute_image(report) == report->image_count &&
	    needs_absolute(report))
		add_absolute(w);
	json_close(w);
}
