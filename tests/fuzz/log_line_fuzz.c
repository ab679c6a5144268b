// SPDX-License-Identifier: MIT
#include "parsers/text/log_line.h"

#include "lib/base/cursor.h"
#include "parsers/text/log_mark.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/** What is found lies in the line, and what is replaced after the number. */
static void check_frame(struct text line, const struct log_frame *frame)
{
	if (!frame->image.size || frame->name_at > line.size ||
	    frame->name_size > line.size - frame->name_at)
		__builtin_trap();
	if (frame->index_size &&
	    (frame->index_width < frame->index_size ||
	     frame->index_at + frame->index_width > frame->name_at))
		__builtin_trap();
}

static bool is_marked(struct text line)
{
	enum log_mark mark = LOG_MARK_NONE;
	size_t at = 0;

	while ((at = log_line_find(line, at, &mark)) < line.size &&
	       mark != LOG_MARK_LINE)
		at++;
	return at < line.size;
}

static void read_line(struct text line)
{
	struct log_line found;
	struct text rest = line;
	struct text part;
	size_t seen = 0;

	log_line_read(line, &found);
	if (found.kind == LOG_LINE_FRAME)
		check_frame(line, &found.frame);
	if (found.kind == LOG_LINE_IMAGE && !found.image.name.size)
		__builtin_trap();
	// A line that no mark is in is nothing.
	if (found.kind != LOG_LINE_OTHER && !is_marked(line))
		__builtin_trap();
	log_line_begins_thread(line);
	while (log_line_next_part(&rest, &part)) {
		seen += part.size;
		log_line_read(part, &found);
		if (found.kind == LOG_LINE_FRAME)
			check_frame(part, &found.frame);
	}
	if (seen > line.size)
		__builtin_trap();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct text rest =
	        bytes_text((struct bytes){ .data = data, .size = size });
	struct text line;

	while (text_next_line(&rest, &line))
		read_line(line);
	return 0;
}
