// SPDX-License-Identifier: MIT
#include "cmd/run/report_input.h"

#include "cmd/run/pipeline.h"
#include "cmd/run/run.h"
#include "lib/base/limit.h"
#include "parsers/input/stream.h"

#include <string.h>

/** Larger files are read as streams: they may be JSON Lines. */
#define STREAM_BYTES_MIN ((uint64_t)16 << 20)
/** Bytes of an oversized file to decide whether it is a report. */
#define HEAD_BYTES ((size_t)1 << 20)

/** Max bytes of lines in a batch, as they are copied. */
#define LINES_BYTES_MAX ((size_t)1 << 20)

// Lines of a stream

static void step(struct report_input *in, size_t size)
{
	in->line += text_count_char(text_first(in->unread, size), '\n');
	in->unread = text_after(in->unread, size);
}

static size_t blank_lines(struct text in)
{
	size_t blank = in.size - text_trim_left(in).size;

	return blank == in.size
	               ? blank
	               : text_find_last_char(text_first(in, blank), '\n') + 1;
}

/** @param what  A line, or the report that starts there. */
static struct error *too_large(const char *path, size_t line, const char *what)
{
	return limit_error(LIMIT_REPORT,
	                   "%s:%zu: the %s is larger than %s: it and the rest "
	                   "are not read",
	                   path, line, what,
	                   limit_size(limit_get(LIMIT_REPORT)).text);
}

/** The next block overwrites these bytes before they are parsed. */
static void add_piece(struct report_input *in, struct batch *batch,
                      struct text piece)
{
	struct batch_entry *entry = batch_add_copy(batch, piece);

	entry->name = arena_printf(&entry->arena, "%s:%zu", in->stream->path,
	                           in->line);
	entry->from_directory = in->stream->from_directory;
	step(in, piece.size);
}

/** Read lines of the block; false: the batch is full first. */
static bool read_block(struct report_input *in, struct batch *batch)
{
	bool is_end = in->lines.ended || in->is_broken;
	struct text piece;

	for (;;) {
		step(in, blank_lines(in->unread));
		piece = stream_piece(in->unread, is_end);
		// The report is too large, with or without its end.
		if ((piece.size ? piece.size : in->unread.size) >
		    limit_get(LIMIT_REPORT))
			in->err =
			        too_large(in->stream->path, in->line, "report");
		if (in->err || !piece.size)
			return true;
		if (batch_is_full(batch) || batch->bytes >= LINES_BYTES_MAX)
			return false;
		add_piece(in, batch, piece);
	}
}

static bool next_block(struct report_input *in)
{
	struct text all;

	if (in->err || !lines_next(&in->lines, &in->block, &in->line))
		return false;
	all = str_text(&in->block);
	in->is_broken = lines_broken(&in->lines, &in->block);
	// Complete lines before it are read anyway.
	in->unread =
	        in->is_broken
	                ? text_first(all, text_find_last_char(all, '\n') + 1)
	                : all;
	in->has_block = true;
	return true;
}

static void end_block(struct report_input *in)
{
	in->has_block = false;
	if (!in->err && in->is_broken)
		in->err = too_large(in->stream->path, in->line, "line");
	if (!in->err)
		lines_put_back(&in->lines, in->unread);
}

static void end_lines(struct report_input *in, struct batch *batch)
{
	struct batch_entry *end =
	        batch_add(batch, BATCH_LINES_END, in->stream->path);

	end->from_directory = in->stream->from_directory;
	end->err = in->err ? in->err : source_take_error(&in->source);
	in->err = NULL;
	in->stream = NULL;
	lines_release(&in->lines);
	str_release(&in->block);
	source_release(&in->source);
}

/** Available lines are a batch: others may wait for answers. */
static void read_lines(struct report_input *in, struct batch *batch)
{
	do {
		if (!in->has_block && !next_block(in)) {
			end_lines(in, batch);
			return;
		}
		if (!read_block(in, batch))
			return;
		end_block(in);
	} while (!batch->count);
}

static void begin_lines(struct report_input *in, const struct input *input,
                        struct batch *batch)
{
	in->stream = input;
	in->source = batch->source;
	batch->source = (struct source){ 0 };
	in->lines = (struct lines){ .source = &in->source,
		                    .at_once = true,
		                    .longest = limit_get(LIMIT_REPORT),
		                    .count = 1 };
}

/**
 * Is the first line a whole report, not just an `.ips` header? Then add it to
 * the batch.
 */
static bool take_first_line(const struct input *input, struct batch *batch)
{
	struct source *source = &batch->source;
	struct text head = source_peek_line(source, limit_get(LIMIT_REPORT));
	struct text line = text_first(head, text_find_char(head, '\n'));
	struct batch_entry *entry;

	if (!text_starts(line, "{") || !text_ends(text_trim_right(line), "}"))
		return false;
	batch_add(batch, BATCH_LINES, input->path);
	entry = batch_add_content(batch, NULL, line);
	entry->name = arena_printf(&entry->arena, "%s:1", input->path);
	entry->from_directory = input->from_directory;
	batch_parse_entry(batch, batch->count - 1);
	if (!entry->reports) {
		arena_release(&entry->arena);
		error_free(entry->err);
		batch->count = batch->bytes = 0;
		return false;
	}
	source_skip(source, line.size + (line.size < head.size));
	return true;
}

// Inputs that are alone in their batch

/**
 * Add an oversized file of a directory to the batch, to be skipped, if it does
 * not look like a report: a film or a core file, for example.
 */
static bool pass_over_large(struct batch *batch)
{
	struct source *source = &batch->source;
	struct batch_entry *entry = batch_add_content(
	        batch, source->name, source_peek(source, HEAD_BYTES));

	entry->from_directory = true;
	batch_parse_entry(batch, batch->count - 1);
	if (!entry->reports && run_passes_over(true, entry->err))
		return true;
	arena_release(&entry->arena);
	error_free(entry->err);
	batch->count = batch->bytes = 0;
	return false;
}

static struct error *take_rest(const struct input *input, struct batch *batch)
{
	struct bytes all;
	struct error *err = source_read_all(&batch->source, &all);

	if (err && input->from_directory && error_code(err) == ERROR_LIMIT &&
	    pass_over_large(batch)) {
		error_free(err);
		return NULL;
	}
	if (err)
		return err;
	batch_add_content(batch, input->path, bytes_text(all))->from_directory =
	        input->from_directory;
	return NULL;
}

/** Whether to process an input while reading it. */
static bool is_stream(const struct input *input)
{
	return !strcmp(input->path, "-") ||
	       input->size_bytes >= STREAM_BYTES_MIN;
}

static bool may_have_groups(const struct report_input *in,
                            const struct input *input)
{
	return in->takes_groups && !input->from_directory;
}

static bool is_alone(const struct report_input *in, const struct input *input)
{
	return is_stream(input) || may_have_groups(in, input);
}

struct opening {
	struct source *source;
	const char *path;
	struct error *err;
};

static void open_again(void *argument)
{
	struct opening *opening = argument;

	error_free(opening->err);
	opening->err = source_open(opening->source, opening->path);
}

static struct error *open_source(const struct report_input *in,
                                 const char *path, struct source *source)
{
	struct opening opening = { .source = source,
		                   .path = path,
		                   .err = source_open(source, path) };

	// Working jobs may use up all descriptors.
	if (opening.err && error_code(opening.err) == ERROR_SHORTAGE)
		pipeline_alone(in->pipeline, open_again, &opening);
	return opening.err;
}

static void read_alone(struct report_input *in, const struct input *input,
                       struct batch *batch)
{
	struct source *source = &batch->source;
	struct error *err = open_source(in, input->path, source);

	if (!err && may_have_groups(in, input) &&
	    source_reader(source, YIELDS_GROUPS)) {
		batch_add(batch, BATCH_GROUPS, input->path);
		return;
	}
	if (!err && is_stream(input) && take_first_line(input, batch))
		begin_lines(in, input, batch);
	else if (!err)
		err = take_rest(input, batch);
	if (err)
		batch_add(batch, BATCH_REPORTS, input->path)->err = err;
}

/** Can the next batch be read without waiting? */
static bool has_more(struct report_input *in)
{
	const struct inputs *inputs = in->inputs;

	if (in->stream)
		return in->has_block || in->err ||
		       source_has_more(&in->source, 0);
	return in->next < inputs->count &&
	       strcmp(inputs->items[in->next].path, "-") != 0;
}

size_t report_input_read(struct report_input *in, struct batch *batch,
                         bool *ret_more)
{
	const struct inputs *inputs = in->inputs;

	if (in->stream) {
		read_lines(in, batch);
		batch_end_copies(batch);
	}
	while (!in->stream && in->next < inputs->count &&
	       !batch_is_full(batch)) {
		const struct input *input = &inputs->items[in->next];

		if (is_alone(in, input) && batch->count)
			break;
		in->next++;
		if (is_alone(in, input)) {
			read_alone(in, input, batch);
			break;
		}
		batch_add_file(batch, input);
	}
	*ret_more = has_more(in);
	return batch->count;
}

void report_input_release(struct report_input *in)
{
	lines_release(&in->lines);
	str_release(&in->block);
	source_release(&in->source);
	error_free(in->err);
}
