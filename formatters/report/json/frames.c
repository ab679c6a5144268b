#include "formatters/report/json/frames.h"

void json_add_place(struct json_writer *w, const struct report *report,
                    const struct report_frame *frame)
{
	const struct report_image *image = report_frame_image(report, frame);
	uint64_t base;

	json_text_or_null(w, "image", report_frame_image_name(report, frame));
	if (image)
		json_number(w, "image_index", frame->image);
	else
		json_null(w, "image_index");
	if (image && !uuid_is_zero(&image->uuid))
		json_uuid(w, "uuid", &image->uuid);
	else
		json_null(w, "uuid");
	json_address(w, "address", frame->address);
	if (report_frame_base(report, frame, &base))
		json_number(w, "offset", frame->image_offset);
	else
		json_null(w, "offset");
	json_bool(w, "app", report_frame_is_app(report, frame));
}

void json_add_call(struct json_writer *w, const struct report_call *call)
{
	static const struct report_call nothing = { 0 };

	if (!call)
		call = &nothing;
	json_text_or_null(w, "symbol", call->symbol);
	json_text(w, "mangled", call->mangled);
	if (call->has_symbol_offset)
		json_number(w, "symbol_offset", call->symbol_offset);
	else
		json_null(w, "symbol_offset");
	json_text_or_null(w, "file", call->file);
	json_text(w, "path", call->path);
	if (call->has_line)
		json_number(w, "line", call->line);
	else
		json_null(w, "line");
	if (call->line_borrowed)
		json_bool(w, "line_borrowed", true);
}

/** A frame becomes an entry per call, numbered through the stack. */
static size_t add_frame(struct json_writer *w, const struct report *report,
                        const struct report_frame *frame, size_t index)
{
	size_t count = frame->call_count ? frame->call_count : 1;

	for (size_t i = 0; i < count; i++) {
		json_open_object(w, NULL);
		json_number(w, "index", index + i);
		json_add_place(w, report, frame);
		json_add_call(w, frame->call_count ? &frame->calls[i] : NULL);
		json_bool(w, "inline", i + 1 < count);
		json_text(w, "source", report_source_name(frame->source));
		json_close(w);
	}
	return count;
}

void json_add_frames(struct json_writer *w, const struct report *report,
                     const struct report_stack *stack)
{
	size_t index = 0;

	json_open_array(w, "frames");
	for (size_t i = 0; i < stack->count; i++)
		index += add_frame(w, report, &stack->frames[i], index);
	json_close(w);
}
