#include "cmd/run/stream.h"

#include "lib/base/file.h"
#include "lib/base/mem.h"
#include "parsers/parser.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define READ_BYTES ((size_t)256 << 10)

struct error *stream_open(const char *path, struct stream *ret)
{
	*ret = (struct stream){ .path = path };
	if (!strcmp(path, "-"))
		return NULL;
	ret->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (ret->fd < 0)
		return error_os(errno, "cannot open '%s'", path);
	return NULL;
}

void stream_release(struct stream *stream)
{
	if (stream->fd > 2)
		close(stream->fd);
	str_release(&stream->pending);
	arena_release(&stream->names);
}

/** Append what one read gives; it waits for the first byte only. */
static struct error *fill(struct stream *stream)
{
	struct str *pending = &stream->pending;
	ssize_t got;

	pending->data = mem_grow(pending->data, &pending->cap,
	                         pending->size + READ_BYTES + 1, 1);
	do
		got = read(stream->fd, pending->data + pending->size,
		           READ_BYTES);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		return error_os(errno, "cannot read '%s'", stream->path);
	stream->ended = !got;
	pending->size += (size_t)got;
	pending->data[pending->size] = '\0';
	return NULL;
}

/** Drop what the last batch has used. */
static void drop_used(struct stream *stream)
{
	struct str *pending = &stream->pending;

	if (!stream->used)
		return;
	memmove(pending->data, pending->data + stream->used,
	        pending->size - stream->used + 1);
	pending->size -= stream->used;
	stream->used = 0;
	arena_clear(&stream->names);
}

static struct error *too_large(const struct stream *stream)
{
	return error_new(ERROR_LIMIT, "'%s': a report is larger than %zu MB",
	                 stream->path, FILE_REPORT_LIMIT_BYTES >> 20);
}

/** Read until there is a whole line, or the end. */
static struct error *fill_line(struct stream *stream)
{
	size_t searched = 0;

	while (!stream->ended) {
		struct text new =
		        text_after(str_text(&stream->pending), searched);
		struct error *err;

		if (text_find_char(new, '\n') != TEXT_NOWHERE)
			return NULL;
		searched = stream->pending.size;
		if (searched > FILE_REPORT_LIMIT_BYTES)
			return too_large(stream);
		if ((err = fill(stream)))
			return err;
	}
	return NULL;
}

/** Is the first line a whole report? An `.ips` header alone is none. */
static bool begins_with_report(const struct stream *stream)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct text rest = str_text(&stream->pending);
	struct text line;
	struct report *report;
	struct error *err;

	if (!text_next_line(&rest, &line) || line.data[0] != '{' ||
	    !text_ends(text_trim_right(line), "}"))
		return false;
	err = parser_read(bytes_from_text(line), &arena, &report);
	if (!err)
		return true;
	error_free(err);
	return false;
}

static void add_line(struct stream *stream, struct text line,
                     struct batch *batch)
{
	const char *name = arena_printf(&stream->names, "%s:%zu", stream->path,
	                                stream->line);

	batch_add(batch, name, line.size)->content = line;
}

/** The whole lines that are there; the last one may lack its end. */
static void take_lines(struct stream *stream, struct batch *batch)
{
	struct text rest = str_text(&stream->pending);

	while (rest.size && !batch_is_full(batch)) {
		size_t end = text_find_char(rest, '\n');
		struct text line = text_first(rest, end);

		if (end == TEXT_NOWHERE && !stream->ended)
			break;
		stream->line++;
		rest = text_after(rest, line.size + 1);
		stream->used = stream->pending.size - rest.size;
		if (text_trim(line).size)
			add_line(stream, line, batch);
	}
}

static struct error *take_all(struct stream *stream, struct batch *batch)
{
	struct error *err;

	while (!stream->ended) {
		if (stream->pending.size > FILE_REPORT_LIMIT_BYTES)
			return too_large(stream);
		if ((err = fill(stream)))
			return err;
	}
	batch_add(batch, stream->path, stream->pending.size)->content =
	        str_text(&stream->pending);
	stream->used = stream->pending.size;
	return NULL;
}

struct error *stream_next(struct stream *stream, struct batch *batch)
{
	bool first = !stream->line && !stream->used;
	struct error *err;

	drop_used(stream);
	do {
		if ((err = fill_line(stream)))
			return err;
		if (first && !stream->pending.size) {
			// An empty input is an input that cannot be read.
			first = false;
			batch_add(batch, stream->path, 0)->content = TEXT_NONE;
			stream->line++;
			return NULL;
		}
		if (first)
			stream->is_lines = begins_with_report(stream);
		if (!stream->is_lines)
			return first ? take_all(stream, batch) : NULL;
		first = false;
		take_lines(stream, batch);
		if (!batch->count)
			drop_used(stream);
	} while (!batch->count && !stream->ended);
	return NULL;
}
