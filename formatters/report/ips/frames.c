// SPDX-License-Identifier: MIT
#include "formatters/report/ips/ips.h"

#include "lib/base/str.h"

bool ips_is_absolute(const struct report_image *image)
{
	return image->kind == 'A' ||
	       (!image->base && image->size == UINT64_MAX &&
	        uuid_is_zero(&image->uuid));
}

size_t ips_absolute_image(const struct report *report)
{
	size_t i = 0;

	while (i < report->image_count && !ips_is_absolute(&report->images[i]))
		i++;
	return i;
}

size_t ips_count_elements(const struct report_frame *frame)
{
	return frame->call_count ? frame->call_count : 1;
}

static void add_file(struct json_writer *w, const struct report_call *call,
                     bool has_line)
{
	SCOPED(str_release) struct str file = { 0 };

	if (has_line)
		json_number(w, "sourceLine", call->line);
	if (!call->file)
		return;
	// Apple's way to write `<compiler-generated>`.
	if (call->file[0] == '<')
		str_add_char(&file, '/');
	str_add(&file, call->file);
	json_text(w, "sourceFile", str_cstr(&file));
}

/** Image and offset. */
struct place {
	size_t image;
	uint64_t offset;
};

static struct place place_of(const struct report_frame *frame, size_t absolute)
{
	if (frame->image == REPORT_NO_IMAGE)
		return (struct place){ absolute, frame->address };
	return (struct place){ frame->image, frame->image_offset };
}

/** An inlined call with its line. */
static void add_inlined(struct json_writer *w, const struct report_call *call,
                        struct place place)
{
	json_text(w, "symbol", call->symbol);
	json_bool(w, "inline", true);
	json_number(w, "imageIndex", place.image);
	json_number(w, "imageOffset", place.offset);
	if (call->has_symbol_offset)
		json_number(w, "symbolLocation", call->symbol_offset);
	add_file(w, call, true);
}

static void add_call(struct json_writer *w, const struct report_call *call,
                     struct place place, bool inlined, bool has_line)
{
	bool image_first = has_line || inlined;

	json_number(w, "imageOffset", place.offset);
	add_file(w, call, has_line);
	json_text(w, "symbol", call->symbol);
	if (image_first)
		json_number(w, "imageIndex", place.image);
	if (call->has_symbol_offset)
		json_number(w, "symbolLocation", call->symbol_offset);
	if (!image_first)
		json_number(w, "imageIndex", place.image);
	if (inlined)
		json_bool(w, "inline", true);
}

// Members have the order of Apple's files.
void ips_add_element(struct json_writer *w, const struct report_frame *frame,
                     size_t index, size_t absolute, struct text others)
{
	static const struct report_call nothing = { 0 };
	const struct report_call *call =
	        index < frame->call_count ? &frame->calls[index] : &nothing;
	struct place place = place_of(frame, absolute);
	bool inlined = index + 1 < frame->call_count;
	// Compiler-generated code has a file and no line.
	bool has_line = call->has_line &&
	                (call->line || frame->source == REPORT_SOURCE_REPORT);

	json_open_object(w, NULL);
	if (inlined && has_line && call->symbol)
		add_inlined(w, call, place);
	else
		add_call(w, call, place, inlined, has_line);
	json_members(w, others);
	json_close(w);
}

void ips_add_frame(struct json_writer *w, const struct report_frame *frame,
                   size_t absolute)
{
	for (size_t i = 0; i < ips_count_elements(frame); i++)
		ips_add_element(w, frame, i, absolute, TEXT_NONE);
}
