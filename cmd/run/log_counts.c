// SPDX-License-Identifier: MIT
#include "cmd/run/log_counts.h"

#include "cmd/run/copied.h"

static void add_nowhere(struct log_nowhere *to, struct text first)
{
	if (!to->count++)
		copied_visible(&to->first, first);
}

void log_count_frame(struct log_filter *filter,
                     const struct log_batch_frame *frame, bool is_named)
{
	filter->frame_count++;
	if (is_named || frame->is.symbol.size || frame->is.has_line)
		return;
	filter->unnamed_count++;
	if (frame->has_place)
		return;
	add_nowhere(frame->is.has_offset || frame->is.is_linked
	                    ? &filter->no_uuid
	                    : &filter->no_image,
	            frame->is.image);
}

static void add_address(struct log_filter *filter, uint64_t address)
{
	SCOPED(str_release) struct str text = { 0 };

	str_add_address(&text, address, 0);
	add_nowhere(&filter->no_image, str_text(&text));
}

size_t log_count_stack(struct log_filter *filter,
                       const struct report_stack *stack)
{
	size_t named = 0;

	for (size_t i = 0; i < stack->count; i++) {
		const struct report_frame *frame = &stack->frames[i];

		named += report_source_is_file(frame->source);
		if (frame->image == REPORT_NO_IMAGE)
			add_address(filter, frame->address);
	}
	filter->frame_count += stack->count;
	filter->unnamed_count += stack->count - named;
	return named;
}

/** `2 of 7 frames have no name: `. */
static void add_count(const struct log_filter *filter, size_t count,
                      struct str *to)
{
	str_addf(to, "%zu of %zu frame%s %s no name: ", count,
	         filter->frame_count, text_plural(filter->frame_count),
	         count == 1 ? "has" : "have");
}

static void add_first(const struct log_nowhere *frames, struct str *to)
{
	str_addf(to, " (%s'%s')",
	         frames->count == 1 ? "" : "first: ", str_cstr(&frames->first));
}

static const char late_list[] =
        "a list of images came after them: give the file as an operand, or "
        "with --images";

static void warn_no_image(const struct log_filter *filter,
                          const struct notices *notices)
{
	SCOPED(str_release) struct str text = { 0 };
	size_t count = filter->no_image.count;

	if (!count)
		return;
	add_count(filter, count, &text);
	str_addf(&text, "no list of images has %s",
	         count == 1 ? "its image" : "their images");
	add_first(&filter->no_image, &text);
	notice_advise(notices,
	              filter->no_image.is_late
	                      ? late_list
	                      : "add --images FILE, a report or a list "
	                        "of images of the same run",
	              "%s", str_cstr(&text));
}

static void warn_no_uuid(const struct log_filter *filter,
                         const struct notices *notices)
{
	SCOPED(str_release) struct str text = { 0 };
	size_t count = filter->no_uuid.count;

	if (!count)
		return;
	add_count(filter, count, &text);
	str_addf(&text, "%s image and offset, but no UUID",
	         count == 1 ? "it has" : "they have");
	add_first(&filter->no_uuid, &text);
	notice_advise(notices,
	              filter->no_uuid.is_late
	                      ? late_list
	                      : "add --images FILE, a report or a list "
	                        "of images with the UUIDs",
	              "%s", str_cstr(&text));
}

void log_counts_notice(const struct log_filter *filter,
                       const struct notices *notices)
{
	warn_no_image(filter, notices);
	warn_no_uuid(filter, notices);
}
