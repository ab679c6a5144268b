// SPDX-License-Identifier: MIT
#include "cmd/run/log_stack.h"

#include "cmd/run/log_batch.h"
#include "cmd/run/log_counts.h"
#include "cmd/run/log_places.h"
#include "formatters/report/text/frames.h"
#include "lib/base/number.h"

static void add_address(struct log_filter *filter, struct report *report,
                        uint64_t address, uint64_t at)
{
	struct arena *arena = &filter->arena;
	struct report_frame *frame =
	        report_add_frame(&report->exception_backtrace, arena);
	struct log_batch_frame found = { 0 };
	const struct log_images *from;
	struct log_place place;

	frame->address = address;
	frame->image = REPORT_NO_IMAGE;
	if (!log_place_find_address(filter, address, at, &place, &from))
		return;
	log_place_set(filter, from, &place, &found);
	frame->image = log_batch_image(report, &found, arena);
	frame->image_offset = place.offset;
	report->images[frame->image].base = place.image->base;
}

/** Write the frames of a one-line stack, each with the line's head. */
static void write_stack(struct log_filter *filter, const struct report *report,
                        struct text line, size_t head_size)
{
	SCOPED(str_release) struct str lines = { 0 };
	struct text rest, one;

	crash_text_stack_lines(report, &report->exception_backtrace, &lines);
	rest = str_text(&lines);
	while (text_next_line(&rest, &one)) {
		log_copy(filter, text_first(line, head_size));
		log_add_guarded(filter, one);
		out_add(filter->out, text_ends(line, "\r\n") ? "\r\n" : "\n");
	}
}

void log_stack_take(struct log_filter *filter, const struct log_line *found,
                    struct text line, uint64_t at)
{
	struct report *report;
	const struct report_stack *stack;
	struct text rest = found->addresses;
	struct text word;
	size_t named = 0;

	if (filter->learns)
		return;
	log_batch_finish(filter, line.data);
	report = arena_alloc(&filter->arena, sizeof(*report));
	stack = &report->exception_backtrace;
	report->format = "log";
	report->exception_backtrace.all_return_addresses = true;
	while (text_next_word(&rest, &word)) {
		uint64_t address = 0;

		if (number_hex(word, &address))
			add_address(filter, report, address, at);
	}
	log_batch_name(filter, report);
	named = log_count_stack(filter, stack);
	if (named) {
		write_stack(filter, report, line, found->addresses_at);
		filter->written += line.size;
	}
	arena_clear(&filter->arena);
}
