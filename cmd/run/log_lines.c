// SPDX-License-Identifier: MIT
#include "cmd/run/log_lines.h"

#include "cmd/run/log_batch.h"
#include "cmd/run/log_places.h"
#include "cmd/run/log_stack.h"
#include "parsers/text/log_line.h"
#include "parsers/text/log_mark.h"

/** Max bytes before the process in a line. */
#define HEAD_BYTES_MAX 256
/** Max bytes between two frames of one line: `", "`. */
#define MARKS_BYTES_MAX 4

/** Does the frame continue the previous one's numbering? */
static void set_numbering(struct log_filter *filter,
                          struct log_batch_frame *frame, uint64_t at,
                          size_t mark_size)
{
	uint64_t distance = at - filter->next_at;

	// Strings of a list are separated by two quotes and a comma.
	frame->follows = frame->is.index_size &&
	                 filter->next_index == frame->is.index &&
	                 (mark_size ? distance <= MARKS_BYTES_MAX : !distance);
	filter->next_at = at + frame->line.size;
	filter->next_index = frame->is.index + 1;
}

/** Is it the address of the instruction itself, or a return address? */
static bool is_pc(const struct log_filter *filter,
                  const struct log_frame *frame)
{
	return frame->is_pc ||
	       (frame->index_size && !frame->index && filter->after_thread);
}

/** A line, or a part of one. */
struct part {
	struct text text;  ///< with its end
	uint64_t at;       ///< in the log
	size_t mark_size;  ///< of the quote before it; 0: start of the line
	const char *joint; ///< as in a frame
};

static void take_frame(struct log_filter *filter, const struct log_frame *found,
                       const struct part *part)
{
	struct log_batch_frame *frame;

	if (found->is_unnumbered && !log_places_have(filter, found->image))
		return;
	if (!filter->replays)
		log_images_note_frame(&filter->images, filter->pid, part->at);
	frame = &log_batch_frames(filter)[filter->count];
	*frame = (struct log_batch_frame){ .is = *found,
		                           .line = part->text,
		                           .joint = part->joint };
	// The first line of a string shares its line with other text.
	if (part->joint && part->mark_size < 2)
		frame->joined_at = found->index_at;
	frame->is_pc = is_pc(filter, found);
	if (!found->has_line)
		log_place_find(filter, found, part->at, frame);
	set_numbering(filter, frame, part->at, part->mark_size);
	if (!filter->learns)
		filter->count++;
	else
		arena_clear(&filter->arena);
}

/**
 * Separator of frames in JSON: between strings of a list, or line ends in a
 * string.
 */
static const char *joint_of(struct text line, size_t begin, size_t end)
{
	bool is_string = begin && line.data[begin - 1] == '"' &&
	                 end < line.size && line.data[end] == '"';

	return is_string ? "\",\"" : "\\n";
}

/** Handle the parts of a line with several frames, or with one in quotes. */
static void take_parts(struct log_filter *filter, struct text line, uint64_t at)
{
	struct text rest = line;
	struct text text;
	struct log_line found;

	while (log_line_next_part(&rest, &text)) {
		size_t begin = (size_t)(text.data - line.data);
		struct part part = { .text = text, .at = at + begin };

		log_line_read(text, &found);
		if (found.kind != LOG_LINE_FRAME)
			continue;
		if (begin)
			part.mark_size = line.data[begin - 1] == '"' ? 1 : 2;
		part.joint = joint_of(line, begin, begin + text.size);
		take_frame(filter, &found.frame, &part);
	}
}

/** Does a part of the line end before the line? */
static bool has_parts(struct text line)
{
	if (line.size > LOG_LINE_MAX_BYTES)
		return false;
	return text_find_char(line, '"') != TEXT_NOWHERE ||
	       text_find(line, "\\n") != TEXT_NOWHERE;
}

static void set_pid(struct log_filter *filter, uint64_t pid)
{
	if (pid == filter->pid && filter->pid_text.size)
		return;
	filter->pid = pid;
	str_clear(&filter->pid_text);
	str_add_number(&filter->pid_text, pid);
}

static void take_line(struct log_filter *filter, struct text line, uint64_t at)
{
	struct text text = line;
	struct log_line found;

	if (text_ends(text, "\n"))
		text.size--;
	log_line_read(text, &found);
	if (found.has_pid)
		set_pid(filter, found.pid);
	if (found.kind == LOG_LINE_IMAGE) {
		filter->has_list = true;
		if (!filter->replays)
			log_places_add(filter, &filter->images, &found.image,
			               at);
	} else if (found.kind == LOG_LINE_ADDRESSES) {
		log_stack_take(filter, &found, line, at);
	} else if (has_parts(text)) {
		take_parts(filter, text, at);
	} else if (found.kind == LOG_LINE_FRAME) {
		take_frame(filter, &found.frame,
		           &(struct part){ .text = line, .at = at });
	}
}

/** The line that ends before @p at; empty at the start. */
static struct text line_before(struct text block, size_t at)
{
	struct text before = text_first(block, at ? at - 1 : 0);

	return text_after(before, text_find_last_char(before, '\n') + 1);
}

/** Skip the rest of an overlong line. */
static size_t skip_rest(struct log_filter *filter, struct text block)
{
	size_t end;

	if (!filter->in_line)
		return 0;
	end = text_find_char(block, '\n');
	filter->in_line = end == TEXT_NOWHERE;
	return filter->in_line ? block.size : end + 1;
}

/** The next block may begin with a frame that follows the last line. */
static void note_last_line(struct log_filter *filter, struct text block)
{
	filter->after_thread =
	        log_line_begins_thread(line_before(block, block.size));
}

/** The line around a mark; not before @p from. */
static struct text line_around(struct text block, size_t from, size_t mark)
{
	struct text before = text_after(text_first(block, mark), from);
	size_t start = text_find_last_char(before, '\n');
	size_t end = text_find_char(text_after(block, mark), '\n');

	start = start == TEXT_NOWHERE ? from : from + start + 1;
	end = end == TEXT_NOWHERE ? block.size : mark + end + 1;
	return text_after(text_first(block, end), start);
}

/** Is it `612]`, `612:` or `612 ` of the current process? */
static bool says_pid(const struct log_filter *filter, struct text said)
{
	size_t size = filter->pid_text.size;

	return size && said.size > size &&
	       !memcmp(said.data, filter->pid_text.data, size) &&
	       !text_is_digit(said.data[size]);
}

/**
 * The process in the columns of `log stream`, `0x1a2b  Error  0x0  612`, with
 * the thread at @p at; or empty.
 */
static struct text process_of(struct text block, size_t at)
{
	struct text rest = text_first(text_after(block, at), HEAD_BYTES_MAX);

	for (int i = 0; i < 3; i++) {
		size_t word = 0;

		if (i == 2 && !text_starts(rest, "0x"))
			return TEXT_NONE;
		while (word < rest.size && !text_is_space(rest.data[word]))
			word++;
		rest = text_after(rest, word);
		rest = text_after(rest, text_count_blanks(rest));
	}
	return rest;
}

/** Is the process at a mark the current one? */
static bool is_known(const struct log_filter *filter, struct text block,
                     size_t mark)
{
	if (block.data[mark] == '[')
		return says_pid(filter, text_after(block, mark + 1));
	return says_pid(filter, process_of(block, mark - 1));
}

/** The head of the line with a mark near its start; or empty. */
static struct text head_around(struct text block, size_t from, size_t mark)
{
	size_t first = mark > HEAD_BYTES_MAX ? mark - HEAD_BYTES_MAX : 0;
	struct text before;
	size_t start;

	if (first < from)
		first = from;
	before = text_after(text_first(block, mark), first);
	start = text_find_last_char(before, '\n');
	if (start == TEXT_NOWHERE && first != from)
		return TEXT_NONE;
	start = start == TEXT_NOWHERE ? first : first + start + 1;
	before = text_first(text_after(block, start), 2 * HEAD_BYTES_MAX);
	return text_first(before, text_find_char(before, '\n'));
}

/** Set the process from the start of a line, once per line. */
static void note_process(struct log_filter *filter, struct text block,
                         size_t from, size_t mark)
{
	struct text head;
	struct log_line found;
	bool is_after_blank = mark && block.data[mark] == '[' &&
	                      block.data[mark - 1] == ' ';

	// Usually, the process is the same.
	if (!is_after_blank && is_known(filter, block, mark))
		return;
	head = head_around(block, from, mark);
	if (!head.size || head.data == filter->head ||
	    (is_after_blank && !text_starts(head, "Process:")))
		return;
	filter->head = head.data;
	log_line_read_process(head, &found);
	if (!found.has_pid)
		return;
	set_pid(filter, found.pid);
	if (found.begins_report && !filter->replays)
		log_images_begin(&filter->images, filter->pid,
		                 filter->at + (size_t)(head.data - block.data));
}

static void take_marked(struct log_filter *filter, struct text block,
                        struct text line)
{
	size_t start = (size_t)(line.data - block.data);

	if (start)
		filter->after_thread =
		        log_line_begins_thread(line_before(block, start));
	take_line(filter, line, filter->at + start);
	if (filter->count >= LOG_BATCH_FRAMES)
		log_batch_finish(filter, line.data + line.size);
}

void log_lines_take(struct log_filter *filter, struct text block)
{
	size_t from = skip_rest(filter, block); // start of unread lines
	size_t at = from;
	enum log_mark mark = LOG_MARK_NONE;

	filter->written = block.data;
	filter->head = NULL;
	while ((at = log_line_find(block, at, &mark)) < block.size) {
		struct text line;

		if (mark == LOG_MARK_PROCESS) {
			note_process(filter, block, from, at);
			at++;
			continue;
		}
		line = line_around(block, from, at);
		take_marked(filter, block, line);
		from = (size_t)(line.data - block.data) + line.size;
		at = from;
	}
	note_last_line(filter, block);
	log_batch_finish(filter, block.data + block.size);
	filter->at += block.size;
}
