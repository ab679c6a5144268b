// SPDX-License-Identifier: MIT
#include "parsers/text/program.h"

#include "lib/base/text.h"
#include "lib/darwin/system_images.h"

#include <string.h>

static bool is_library(struct text name)
{
	static const char *const marks[] = { ".dylib", ".so", ".so.", ".dll",
		                             ".framework/" };

	for (size_t i = 0; i < ARRAY_SIZE(marks); i++) {
		size_t at = text_find(name, marks[i]);

		if (at != TEXT_NOWHERE &&
		    (text_ends(name, marks[i]) ||
		     text_ends(text_from(marks[i]), ".") ||
		     text_ends(text_from(marks[i]), "/")))
			return true;
	}
	return text_starts(name, "[vdso]") || text_is(name, "dyld");
}

/** Directories of libraries on Linux. */
static bool is_linux_system(struct text path)
{
	return text_starts(path, "/lib/") || text_starts(path, "/lib64/");
}

static bool may_be_program(const struct report *report,
                           const struct report_image *image)
{
	struct text path = text_from(image->path ? image->path : "");

	return image->name && !is_library(text_from(image->name)) &&
	       !is_library(path) && !is_linux_system(path) &&
	       !report_image_is_system(report, image);
}

static bool find_listed(struct report *report)
{
	const struct report_image *found = NULL;

	for (size_t i = 0; i < report->image_count; i++) {
		if (!may_be_program(report, &report->images[i]))
			continue;
		if (found)
			return false;
		found = &report->images[i];
	}
	if (!found)
		return false;
	report->process.name = found->name;
	report->path = found->path;
	return true;
}

/** An image of frames with known sources, in a log without images. */
struct named_image {
	const char *name;
	bool is_one;
};

static void see_stack(struct report_stack *stack, void *context)
{
	struct named_image *image = context;

	for (size_t i = 0; i < stack->count; i++) {
		const struct report_frame *frame = &stack->frames[i];
		const char *name = frame->image_name;

		if (!name || !frame->call_count ||
		    frame->tags & REPORT_FRAME_SYSTEM ||
		    !frame->calls[frame->call_count - 1].file ||
		    is_library(text_from(name)))
			continue;
		image->is_one &= !image->name || !strcmp(image->name, name);
		image->name = name;
	}
}

void text_program_set(struct report *report)
{
	struct named_image image = { .is_one = true };

	if (report->process.name || report->path)
		return;
	if (report->image_count) {
		find_listed(report);
		return;
	}
	report_each_stack(report, see_stack, &image);
	if (image.name && image.is_one)
		report->process.name = image.name;
}

// Frames

/** Kotlin/Native's functions are never the system's. */
static bool is_kotlin(const struct report_frame *frame)
{
	return frame->call_count && frame->calls[0].symbol &&
	       text_starts(text_from(frame->calls[0].symbol), "kfun:");
}

/** Does the stack have a frame in the process's image? */
static bool has_process(const struct report *report,
                        const struct report_stack *stack)
{
	for (size_t i = 0; i < stack->count; i++)
		if (report_frame_is_app(report, &stack->frames[i]))
			return true;
	return false;
}

/** Is its source file not Apple's? */
static bool has_own_source(const struct report_frame *frame)
{
	const char *path = frame->call_count
	                           ? frame->calls[frame->call_count - 1].path
	                           : NULL;

	return path && *path == '/' && !darwin_source_is_apple(text_from(path));
}

/** Mark app frames by image name or source. */
static void mark_own(struct report_stack *stack, void *context)
{
	bool is_known = has_process(context, stack);

	for (size_t i = 0; i < stack->count; i++) {
		struct report_frame *frame = &stack->frames[i];

		if (frame->image != REPORT_NO_IMAGE)
			continue;
		if (!frame->image_name)
			frame->is_own |= has_own_source(frame);
		else
			frame->is_own |=
			        is_kotlin(frame) ||
			        (!is_known &&
			         !darwin_image_is_system(frame->image_name));
	}
}

void text_program_mark_frames(struct report *report)
{
	report_each_stack(report, mark_own, report);
}
