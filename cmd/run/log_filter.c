#include "cmd/run/log_filter.h"

#include "cmd/run/copied.h"
#include "cmd/run/lines.h"
#include "cmd/run/missing_symbols.h"
#include "formatters/report/text/frames.h"
#include "lib/analysis/symbolicate/symbolicate.h"
#include "lib/base/mem.h"
#include "lib/base/number.h"
#include "lib/base/workflow.h"
#include "parsers/text/log_line.h"
#include "parsers/text/log_mark.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/** Read at once, and frames named at once: what bounds the memory. */
#define BLOCK_BYTES_READ ((size_t)256 << 10)
#define BATCH_FRAMES     1024
/** A frame takes more than 8 bytes of a line. */
#define LINE_FRAMES_MAX (LOG_LINE_MAX_BYTES / 8)
/** Within so many bytes of a line is its process. */
#define HEAD_BYTES_MAX 256
/** What is at most between two frames of one line: `", "`. */
#define MARKS_BYTES_MAX 4

/** A frame in a block, and its image where that is known. */
struct log_batch_frame {
	struct log_frame is;
	struct text line;  ///< or the part of it, with its end
	const char *joint; ///< between inlined calls, if it is a part
	size_t joined_at;  ///< what is repeated after that
	bool has_place;
	struct uuid uuid;
	uint64_t offset;
	const char *name; ///< of the image
	const char *path; ///< NULL: not known
	bool is_pc;
	bool follows;    ///< the frame before, by its number
	uint64_t number; ///< as printed
};

static struct log_batch_frame *frames_of(struct log_filter *filter)
{
	if (!filter->frames)
		filter->frames = mem_zalloc(BATCH_FRAMES + LINE_FRAMES_MAX,
		                            sizeof(*filter->frames));
	return filter->frames;
}

// Where a frame lies

static struct log_wanted wanted_of(const struct log_frame *frame)
{
	return (struct log_wanted){ .image = frame->image,
		                    .address = frame->address,
		                    .has_offset = frame->has_offset,
		                    .offset = frame->offset };
}

/** Lists may be forgotten before the frame is named. */
static void set_image(struct log_filter *filter, const struct log_images *from,
                      const struct log_place *place, struct log_batch_frame *to)
{
	to->uuid = place->image->uuid;
	to->offset = place->offset;
	to->name = arena_strdup(&filter->arena,
	                        log_images_name(from, place->image->name));
	to->path = log_images_name(from, place->image->path);
	if (to->path)
		to->path = arena_strdup(&filter->arena, to->path);
}

/** Its list, or what was given. */
static bool find_known(struct log_filter *filter, const struct log_frame *frame,
                       uint64_t at, struct log_batch_frame *to)
{
	struct log_wanted wanted = wanted_of(frame);
	const struct log_images *from = &filter->images;
	struct log_place place;

	if (!log_images_find(&filter->images, filter->pid, at, &wanted,
	                     &place)) {
		from = &filter->given;
		if (!log_images_find_given(&filter->given, &wanted, &place))
			return false;
	}
	set_image(filter, from, &place, to);
	return true;
}

static struct symbol_frame symbol_frame_of(const struct log_filter *filter,
                                           const struct log_frame *frame,
                                           uint64_t at)
{
	return (struct symbol_frame){
		.image = frame->image,
		.symbol = frame->symbol,
		.symbol_offset = frame->symbol_offset,
		.address = frame->address,
		.pid = filter->pid,
		.at = at,
	};
}

/** `symbol + offset`, at an address. */
static bool has_symbol(const struct log_frame *frame)
{
	return frame->has_symbol_offset && frame->symbol.size && frame->address;
}

/** Does it agree with another one in where their image was loaded? */
static bool infer_base(struct log_filter *filter, const struct log_frame *frame,
                       uint64_t at)
{
	struct symbol_frame offered = symbol_frame_of(filter, frame, at);
	struct symbol_base base;

	if (!has_symbol(frame) ||
	    !symbol_bases_offer(&filter->bases,
	                        symbol_store_index(filter->search->store),
	                        &offered, &base))
		return false;
	log_images_add(&filter->images, filter->pid, at,
	               &(struct log_given_image){
	                       .uuid = base.uuid,
	                       .has_base = true,
	                       .base = base.address,
	                       .size = base.size,
	                       .name = frame->image,
	                       .is_inferred = true,
	                       .since = base.at,
	               });
	return true;
}

/** As find_known(), unless the frame's own symbol contradicts it. */
static bool find_true(struct log_filter *filter, const struct log_frame *frame,
                      uint64_t at, struct log_batch_frame *to)
{
	struct symbol_frame says = symbol_frame_of(filter, frame, at);

	return find_known(filter, frame, at, to) &&
	       !(has_symbol(frame) &&
	         symbol_bases_refute(&filter->bases,
	                             symbol_store_index(filter->search->store),
	                             &to->uuid, &says, to->offset));
}

static void find_place(struct log_filter *filter, const struct log_frame *frame,
                       uint64_t at, struct log_batch_frame *to)
{
	if (!uuid_is_zero(&frame->uuid)) {
		to->has_place = true;
		to->uuid = frame->uuid;
		to->offset = frame->offset;
		to->name = arena_text(&filter->arena, frame->image);
		return;
	}
	to->has_place = find_true(filter, frame, at, to);
	if (!to->has_place && !filter->replays && infer_base(filter, frame, at))
		to->has_place = find_true(filter, frame, at, to);
}

// Naming

/** The number of the image of a frame in the report. */
static size_t image_of(struct report *report,
                       const struct log_batch_frame *frame, struct arena *arena)
{
	struct report_image *image;

	for (size_t i = report->image_count; i > 0; i--)
		if (uuid_equal(&report->images[i - 1].uuid, &frame->uuid) &&
		    text_same(report->images[i - 1].name, frame->name))
			return i - 1;
	image = report_add_image(report, arena);
	image->uuid = frame->uuid;
	image->name = frame->name;
	image->path = frame->path;
	return report->image_count - 1;
}

static void add_device_name(const struct log_frame *from,
                            struct report_frame *to, struct arena *arena)
{
	if (!from->symbol.size)
		return;
	to->calls = arena_alloc(arena, sizeof(*to->calls));
	to->call_count = 1;
	to->source = REPORT_SOURCE_REPORT;
	to->calls->symbol = arena_text(arena, from->symbol);
	to->calls->has_symbol_offset = from->has_symbol_offset;
	to->calls->symbol_offset = from->symbol_offset;
}

/** The frames that have a place, as the one stack of a report. */
static struct report *make_report(struct log_filter *filter)
{
	struct arena *arena = &filter->arena;
	struct report *report = arena_alloc(arena, sizeof(*report));
	struct report_stack *stack = &report->exception_backtrace;

	report->format = "log";
	stack->all_return_addresses = true;
	for (size_t i = 0; i < filter->count; i++) {
		const struct log_batch_frame *from = &filter->frames[i];
		struct report_frame *to;

		if (!from->has_place)
			continue;
		to = report_add_frame(stack, arena);
		to->image = image_of(report, from, arena);
		to->address = from->is.address;
		to->image_offset = from->offset;
		to->is_pc = from->is_pc;
		add_device_name(&from->is, to, arena);
	}
	return report;
}

/**
 * Does the frame say that its function begins elsewhere? Then its list is that
 * of another run.
 */
static bool is_refuted(const struct log_frame *frame,
                       const struct report_frame *named)
{
	const struct report_call *call;

	if (!frame->has_symbol_offset || !named->call_count)
		return false;
	call = &named->calls[named->call_count - 1];
	return call->symbol && text_is(frame->symbol, call->symbol) &&
	       call->symbol_offset != frame->symbol_offset;
}

static void name_report(struct log_filter *filter, struct report *report)
{
	struct symbolicate_result result;

	if (!report->exception_backtrace.count)
		return;
	symbol_search_begin(filter->search, &report, 1);
	symbolicate(&report, 1, filter->search->store, filter->search->form,
	            &filter->arena, &result);
	missing_symbols_add(&filter->missing, &result, MISSING_LINES);
}

// Writing

/** Add text of ours within a line, free of workflow commands. */
static void add_guarded(struct log_filter *filter, struct text text)
{
	SCOPED(str_release) struct str safe = { 0 };
	struct workflow workflow = { .line = WORKFLOW_TEXT };

	workflow_add(&workflow, &safe, text);
	out_add_bytes(filter->out, safe.data, safe.size);
}

static void copy(struct log_filter *filter, struct text text)
{
	copied_add(filter->out, text, filter->on_terminal);
}

/** @p from on of what is before the name; calls above it move the number. */
static void copy_head(struct log_filter *filter,
                      const struct log_batch_frame *frame, size_t from,
                      uint64_t number)
{
	const struct log_frame *is = &frame->is;
	struct text head = text_first(frame->line, is->name_at);
	SCOPED(str_release) struct str moved = { 0 };

	if (!is->index_size || number == is->index) {
		copy(filter, text_after(head, from));
		return;
	}
	copy(filter, text_after(text_first(head, is->index_at), from));
	str_add_number(&moved, number);
	// A TAB may follow the digits at once.
	if (is->index_width > is->index_size)
		str_add_repeat(&moved, ' ',
		               moved.size < is->index_width
		                       ? is->index_width - moved.size
		                       : 1);
	out_add_bytes(filter->out, moved.data, moved.size);
	copy(filter, text_after(head, is->index_at + is->index_width));
}

/** Within a JSON string, a name is one, too. */
static void add_escaped(struct str *to, struct text name)
{
	for (size_t i = 0; i < name.size; i++) {
		if (name.data[i] == '"' || name.data[i] == '\\')
			str_add_char(to, '\\');
		str_add_char(to, name.data[i]);
	}
}

static void add_name(struct log_filter *filter,
                     const struct log_batch_frame *frame,
                     const struct report_call *call, bool inlined)
{
	struct text head = text_first(frame->line, frame->is.name_at);
	SCOPED(str_release) struct str name = { 0 };
	SCOPED(str_release) struct str escaped = { 0 };

	if (head.size && !text_is_blank(head.data[head.size - 1]) &&
	    head.data[head.size - 1] != '`')
		str_add_char(&name, ' ');
	crash_text_add_call(call, inlined, &name);
	if (frame->joint)
		add_escaped(&escaped, str_text(&name));
	add_guarded(filter, str_text(frame->joint ? &escaped : &name));
}

/** A call that was inlined: a line, or a part of one, above the function's. */
static void write_call(struct log_filter *filter,
                       const struct log_batch_frame *frame,
                       const struct report_call *call, uint64_t number,
                       bool is_first, bool inlined)
{
	struct text end = text_after(frame->line,
	                             frame->is.name_at + frame->is.name_size);
	size_t from = is_first ? 0 : frame->joined_at;

	copy_head(filter, frame, from, number);
	add_name(filter, frame, call, inlined);
	if (frame->joint && inlined) {
		out_add(filter->out, frame->joint);
		return;
	}
	copy(filter, end);
	if (inlined && !text_ends(end, "\n"))
		out_add(filter->out, "\n");
}

static void write_named(struct log_filter *filter,
                        const struct log_batch_frame *frame,
                        const struct report_frame *named)
{
	for (uint32_t i = 0; i < named->call_count; i++)
		write_call(filter, frame, &named->calls[i],
		           frame->is.index + filter->shift + i, !i,
		           i + 1 < named->call_count);
	if (frame->is.index_size)
		filter->shift += named->call_count - 1;
}

static void write_unnamed(struct log_filter *filter,
                          const struct log_batch_frame *frame)
{
	copy_head(filter, frame, 0, frame->is.index + filter->shift);
	copy(filter, text_after(frame->line, frame->is.name_at));
}

static void count_frame(struct log_filter *filter,
                        const struct log_batch_frame *frame, bool is_named)
{
	filter->frame_count++;
	if (is_named || frame->is.symbol.size || frame->is.has_line)
		return;
	filter->unnamed_count++;
	if (frame->has_place)
		return;
	if (!filter->unknown_count++)
		str_add_text(&filter->unknown_image, frame->is.image);
}

/** Write what is before @p end and was not written yet, as it is. */
static void copy_up_to(struct log_filter *filter, const char *end)
{
	copy(filter,
	     (struct text){ filter->written, (size_t)(end - filter->written) });
	filter->written = end;
}

/** Write the frames of the batch, and what is between them. */
static void write_batch(struct log_filter *filter, const struct report *report)
{
	const struct report_stack *stack = &report->exception_backtrace;
	size_t next = 0;

	for (size_t i = 0; i < filter->count; i++) {
		const struct log_batch_frame *frame = &filter->frames[i];
		const struct report_frame *named = NULL;
		bool is_named;

		if (frame->has_place)
			named = &stack->frames[next++];
		is_named = named && report_source_is_file(named->source) &&
		           !is_refuted(&frame->is, named);
		if (!frame->follows)
			filter->shift = 0;
		copy_up_to(filter, frame->line.data);
		if (is_named)
			write_named(filter, frame, named);
		else
			write_unnamed(filter, frame);
		count_frame(filter, frame, is_named);
		filter->written += frame->line.size;
	}
}

/** Name and write what waits, and the text up to @p end. */
static void finish_batch(struct log_filter *filter, const char *end)
{
	struct report *report;

	if (filter->learns)
		return;
	if (filter->count) {
		report = make_report(filter);
		name_report(filter, report);
		write_batch(filter, report);
		filter->count = 0;
		arena_clear(&filter->arena);
	}
	copy_up_to(filter, end);
}

// Lines

static void add_image(struct log_filter *filter, struct log_images *to,
                      const struct log_image *image, uint64_t at)
{
	struct log_given_image given = {
		.uuid = image->uuid,
		.has_base = image->has_base,
		.base = image->base,
		.size = image->size,
		.name = image->name,
		.path = image->path,
	};
	uint64_t pid = to == &filter->given ? 0 : filter->pid;

	log_images_add(to, pid, at, &given);
	if (!image->other_name.size)
		return;
	given.name = image->other_name;
	log_images_add(to, pid, at, &given);
}

/** Without a number, only the name of an image makes a line a frame. */
static bool has_image(struct log_filter *filter, struct text name)
{
	SCOPED(mem_drop) char *copied = NULL;
	size_t count;

	if (log_images_has_name(&filter->images, name) ||
	    log_images_has_name(&filter->given, name))
		return true;
	copied = mem_strndup(name.data, name.size);
	uuid_index_find_name(symbol_store_index(filter->search->store), copied,
	                     &count);
	return count > 0;
}

/** A number that goes on from the frame right before it. */
static void set_numbering(struct log_filter *filter,
                          struct log_batch_frame *frame, uint64_t at,
                          size_t mark_size)
{
	uint64_t distance = at - filter->next_at;

	// Between the strings of a list are two marks and a comma.
	frame->follows = frame->is.index_size &&
	                 filter->next_index == frame->is.index &&
	                 (mark_size ? distance <= MARKS_BYTES_MAX : !distance);
	filter->next_at = at + frame->line.size;
	filter->next_index = frame->is.index + 1;
}

/** Is it the instruction itself, not the one after a call? */
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
	size_t mark_size;  ///< of the mark before it; 0: it begins the line
	const char *joint; ///< as that of a frame
};

static void take_frame(struct log_filter *filter, const struct log_frame *found,
                       const struct part *part)
{
	struct log_batch_frame *frame;

	if (found->is_unnumbered && !has_image(filter, found->image))
		return;
	if (!filter->replays)
		log_images_note_frame(&filter->images, filter->pid, part->at);
	frame = &frames_of(filter)[filter->count];
	*frame = (struct log_batch_frame){ .is = *found,
		                           .line = part->text,
		                           .joint = part->joint };
	// The first line of a string is not all its own.
	if (part->joint && part->mark_size < 2)
		frame->joined_at = found->index_at;
	frame->is_pc = is_pc(filter, found);
	if (!found->has_line)
		find_place(filter, found, part->at, frame);
	set_numbering(filter, frame, part->at, part->mark_size);
	if (!filter->learns)
		filter->count++;
	else
		arena_clear(&filter->arena);
}

/** What parts frames of JSON: strings of a list, or line ends in a string. */
static const char *joint_of(struct text line, size_t begin, size_t end)
{
	bool is_string = begin && line.data[begin - 1] == '"' &&
	                 end < line.size && line.data[end] == '"';

	return is_string ? "\",\"" : "\\n";
}

/** The parts of a line that holds several, or one in quotes. */
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

/** Does a part of the line end where the line does not? */
static bool has_parts(struct text line)
{
	if (line.size > LOG_LINE_MAX_BYTES)
		return false;
	return text_find_char(line, '"') != TEXT_NOWHERE ||
	       text_find(line, "\\n") != TEXT_NOWHERE;
}

static bool find_address(struct log_filter *filter, uint64_t address,
                         uint64_t at, struct log_place *place,
                         const struct log_images **ret_from)
{
	*ret_from = &filter->images;
	if (log_images_find_address(&filter->images, filter->pid, at, address,
	                            place))
		return true;
	// Several lists that were given may be of several runs.
	*ret_from = &filter->given;
	return filter->given.list_count == 1 &&
	       log_images_find_address(&filter->given, 0, at, address, place);
}

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
	if (!find_address(filter, address, at, &place, &from))
		return;
	set_image(filter, from, &place, &found);
	frame->image = image_of(report, &found, arena);
	frame->image_offset = place.offset;
	report->images[frame->image].base = place.image->base;
}

/** The lines of a stack that was on one, each with what was before it. */
static void write_stack(struct log_filter *filter, const struct report *report,
                        struct text line, size_t head_size)
{
	SCOPED(str_release) struct str lines = { 0 };
	struct text rest, one;

	crash_text_stack_lines(report, &report->exception_backtrace, &lines);
	rest = str_text(&lines);
	while (text_next_line(&rest, &one)) {
		copy(filter, text_first(line, head_size));
		add_guarded(filter, one);
		out_add(filter->out, text_ends(line, "\r\n") ? "\r\n" : "\n");
	}
}

/** @return How many frames got a name. */
static size_t count_stack(struct log_filter *filter,
                          const struct report_stack *stack)
{
	size_t named = 0;

	for (size_t i = 0; i < stack->count; i++) {
		const struct report_frame *frame = &stack->frames[i];

		named += report_source_is_file(frame->source);
		if (frame->image == REPORT_NO_IMAGE && !filter->unknown_count++)
			str_add_address(&filter->unknown_image, frame->address,
			                0);
	}
	filter->frame_count += stack->count;
	filter->unnamed_count += stack->count - named;
	return named;
}

/** A stack on one line: it becomes lines if one of its frames gets a name. */
static void take_addresses(struct log_filter *filter,
                           const struct log_line *found, struct text line,
                           uint64_t at)
{
	struct report *report;
	const struct report_stack *stack;
	struct text rest = found->addresses;
	struct text word;
	size_t named = 0;

	if (filter->learns)
		return;
	finish_batch(filter, line.data);
	report = arena_alloc(&filter->arena, sizeof(*report));
	stack = &report->exception_backtrace;
	report->format = "log";
	report->exception_backtrace.all_return_addresses = true;
	while (text_next_word(&rest, &word)) {
		uint64_t address = 0;

		if (number_hex(word, &address))
			add_address(filter, report, address, at);
	}
	name_report(filter, report);
	named = count_stack(filter, stack);
	if (named) {
		write_stack(filter, report, line, found->addresses_at);
		filter->written += line.size;
	}
	arena_clear(&filter->arena);
}

static void set_pid(struct log_filter *filter, uint64_t pid)
{
	if (pid == filter->pid)
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
			add_image(filter, &filter->images, &found.image, at);
	} else if (found.kind == LOG_LINE_ADDRESSES) {
		take_addresses(filter, &found, line, at);
	} else if (has_parts(text)) {
		take_parts(filter, text, at);
	} else if (found.kind == LOG_LINE_FRAME) {
		take_frame(filter, &found.frame,
		           &(struct part){ .text = line, .at = at });
	}
}

/** The line that ends before @p at; empty at the beginning. */
static struct text line_before(struct text block, size_t at)
{
	struct text before = text_first(block, at ? at - 1 : 0);

	return text_after(before, text_find_last_char(before, '\n') + 1);
}

/** The rest of a line that was too long to be read. */
static size_t skip_rest(struct log_filter *filter, struct text block)
{
	size_t end;

	if (!filter->in_line)
		return 0;
	end = text_find_char(block, '\n');
	filter->in_line = end == TEXT_NOWHERE;
	return filter->in_line ? block.size : end + 1;
}

/** The last line may be followed by a frame in the next block. */
static void note_last_line(struct log_filter *filter, struct text block)
{
	filter->after_thread =
	        log_line_begins_thread(line_before(block, block.size));
}

/** The line that has a mark: where it begins and ends, from @p from on. */
static struct text line_around(struct text block, size_t from, size_t mark)
{
	struct text before = text_after(text_first(block, mark), from);
	size_t start = text_find_last_char(before, '\n');
	size_t end = text_find_char(text_after(block, mark), '\n');

	start = start == TEXT_NOWHERE ? from : from + start + 1;
	end = end == TEXT_NOWHERE ? block.size : mark + end + 1;
	return text_after(text_first(block, end), start);
}

/** `612]` or `612:`, of the process that is known? */
static bool says_pid(const struct log_filter *filter, struct text said)
{
	size_t size = filter->pid_text.size;

	return size && said.size > size &&
	       !memcmp(said.data, filter->pid_text.data, size) &&
	       !text_is_digit(said.data[size]);
}

/** The head of the line of a mark, which is near its beginning; else empty. */
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

/** Only the beginning of a line names a process. */
static void note_process(struct log_filter *filter, struct text block,
                         size_t from, size_t mark)
{
	struct text head;
	struct log_line found;

	// It is mostly the one that it was before. After a blank, `Process:`
	// may be before it.
	if (mark && block.data[mark] == '[' && block.data[mark - 1] != ' ' &&
	    says_pid(filter, text_after(block, mark + 1)))
		return;
	head = head_around(block, from, mark);
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
	if (filter->count >= BATCH_FRAMES)
		finish_batch(filter, line.data + line.size);
}

static void take_block(struct log_filter *filter, struct text block)
{
	size_t from = skip_rest(filter, block); // of lines not seen yet
	size_t at = from;
	enum log_mark mark = LOG_MARK_NONE;

	filter->written = block.data;
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
	finish_batch(filter, block.data + block.size);
	filter->at += block.size;
}

// Inputs

static struct error *take_stream(struct log_filter *filter,
                                 struct source *source)
{
	SCOPED(str_release) struct str block = { 0 };
	SCOPED(lines_release)
	struct lines lines = { .source = source,
		               .at_once = true,
		               .block_bytes = BLOCK_BYTES_READ,
		               .longest = LOG_LINE_MAX_BYTES };
	size_t line;

	while (lines_next(&lines, &block, &line)) {
		bool was_in_line = filter->in_line;

		if (!was_in_line && lines_broken(&lines, &block)) {
			filter->in_line = true;
			was_in_line = true;
		}
		take_block(filter, str_text(&block));
		if (!filter->learns)
			out_flush(filter->out);
	}
	return source_take_error(source);
}

/** Forget what belongs to the log before. */
static void begin_log(struct log_filter *filter)
{
	filter->at = 0;
	filter->pid = 0;
	filter->has_list = false;
	str_clear(&filter->pid_text);
	filter->in_line = false;
	filter->after_thread = false;
	filter->next_at = 0;
	filter->next_index = 0;
	filter->shift = 0;
}

/** Can it be read twice? Devices and files of /proc have no size. */
static bool is_regular(const struct source *source, off_t *ret_at)
{
	struct stat info;

	*ret_at = lseek(source->fd, 0, SEEK_CUR);
	return !fstat(source->fd, &info) && S_ISREG(info.st_mode) &&
	       info.st_size > 0 && *ret_at >= 0;
}

/** Read all of a file for what it says of images. */
static struct error *learn(struct log_filter *filter, struct source *source,
                           off_t at)
{
	struct error *err;

	filter->images.keeps_all = true;
	filter->learns = true;
	err = take_stream(filter, source);
	filter->learns = false;
	filter->is_full |= filter->images.is_full;
	log_images_rewind(&filter->images);
	begin_log(filter);
	filter->replays = true;
	if (!err && lseek(source->fd, at, SEEK_SET) < 0)
		err = error_new(ERROR_OS, "cannot read '%s' twice",
		                source->name);
	return err;
}

static void end_log(struct log_filter *filter)
{
	struct text unknown = str_text(&filter->unknown_image);

	// A stream is read once: what it lists below a frame comes too late.
	filter->is_late |= !filter->replays && filter->has_list &&
	                   filter->unknown_count &&
	                   log_images_has_name(&filter->images, unknown);
	filter->images.keeps_all = false;
	filter->replays = false;
	log_images_release(&filter->images);
	symbol_bases_release(&filter->bases);
}

struct error *log_filter_run(struct log_filter *filter, const char *path)
{
	SCOPED(source_release) struct source source = { 0 };
	struct error *err = source_open(&source, path);
	off_t at;

	if (err)
		return err;
	begin_log(filter);
	if (is_regular(&source, &at)) {
		struct source again = { .name = source.name, .fd = source.fd };

		err = learn(filter, &source, at);
		source.fd = 0;
		source_release(&source);
		source = again;
	}
	if (!err)
		err = take_stream(filter, &source);
	end_log(filter);
	return err;
}

// Images that are given

static void add_text_images(struct log_filter *filter, struct text in)
{
	struct text rest = in;
	struct text line;
	enum log_mark mark;

	while (text_next_line(&rest, &line)) {
		struct log_line found;

		if (log_line_find(line, 0, &mark) == line.size)
			continue;
		log_line_read(line, &found);
		if (found.kind == LOG_LINE_IMAGE)
			add_image(filter, &filter->given, &found.image,
			          (uint64_t)(line.data - in.data));
	}
}

static void add_report_images(struct log_filter *filter,
                              const struct report *report)
{
	for (size_t i = 0; i < report->image_count; i++) {
		const struct report_image *image = &report->images[i];
		struct log_image given = {
			.uuid = image->uuid,
			.has_base = image->base != 0,
			.base = image->base,
			.size = image->size,
			.name = text_from(image->name ? image->name : ""),
			.path = text_from(image->path ? image->path : ""),
		};

		if (image->bundle_id)
			given.other_name = text_from(image->bundle_id);
		if (!uuid_is_zero(&image->uuid) && given.name.size)
			add_image(filter, &filter->given, &given, i);
	}
}

struct error *log_filter_add_images(struct log_filter *filter, const char *path)
{
	SCOPED(source_release) struct source source = { 0 };
	SCOPED(arena_release) struct arena arena = { 0 };
	struct sink sink = { .arena = &arena,
		             .takes = YIELDS_ANY_REPORT,
		             .wants = YIELDS_REPORTS };
	size_t before = filter->given.image_count;
	struct bytes in;
	struct error *err = source_open_all(&source, path, &in);

	if (err)
		return err;
	filter->given.keeps_all = true;
	add_text_images(filter, bytes_text(in));
	if (filter->given.image_count > before)
		return NULL;
	error_free(read_input(in, &sink));
	for (const struct report *report = sink.first; report;
	     report = report->next)
		add_report_images(filter, report);
	if (filter->given.image_count > before)
		return NULL;
	return error_new(ERROR_FORMAT,
	                 "%s: expected a report or a list of images with "
	                 "their UUIDs, found none",
	                 path);
}

// The end

static void warn_unknown(const struct log_filter *filter,
                         const struct notices *notices)
{
	SCOPED(str_release) struct str image = { 0 };

	copied_visible(&image, str_text(&filter->unknown_image));
	notice_advise(notices,
	              filter->is_late
	                      ? "a list of images came after frames: give the "
	                        "file as an operand or with --images"
	                      : "--images can name a report or a list of "
	                        "images of the same run",
	              "%zu of %zu frame%s have no name because their images "
	              "were not known, such as '%s'",
	              filter->unknown_count, filter->frame_count,
	              text_plural(filter->frame_count), str_cstr(&image));
}

void log_filter_notice(struct log_filter *filter, const struct notices *notices)
{
	if (filter->is_full)
		notice_warn(notices, NULL,
		            "more lists of images than are remembered: frames "
		            "after the first %zu images have no names",
		            LOG_IMAGES_MAX);
	if (filter->unknown_count)
		warn_unknown(filter, notices);
	missing_symbols_notice(notices, &filter->missing,
	                       symbol_store_index(filter->search->store),
	                       false);
}

void log_filter_release(struct log_filter *filter)
{
	filter->given.keeps_all = false;
	log_images_release(&filter->given);
	log_images_release(&filter->images);
	symbol_bases_release(&filter->bases);
	missing_symbols_release(&filter->missing);
	str_release(&filter->unknown_image);
	str_release(&filter->pid_text);
	arena_release(&filter->arena);
	free(filter->frames);
	filter->frames = NULL;
}
