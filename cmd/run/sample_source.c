#include "cmd/run/sample_source.h"

#include "lib/base/mem.h"
#include "parsers/parser.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/** What is read to its end may grow to: as much as a report's folder has. */
#define WHOLE_BYTES_MAX ((size_t)4 << 30)

struct error *sample_source_open(struct sample_source *source, const char *path)
{
	source->path = path;
	if (!strcmp(path, "-"))
		return NULL;
	source->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (source->fd >= 0)
		return NULL;
	source->fd = 0;
	return error_os(errno, "cannot open '%s'", path);
}

void sample_source_release(struct sample_source *source)
{
	if (source->fd > 2)
		close(source->fd);
	str_release(&source->head);
	gzip_release(&source->unpacked);
	arena_release(&source->decoded);
	error_free(source->failure);
	*source = (struct sample_source){ 0 };
}

static size_t read_file(struct sample_source *source, char *buffer, size_t size)
{
	ssize_t got;

	if (source->ended)
		return 0;
	do
		got = read(source->fd, buffer, size);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		source->failure =
		        error_os(errno, "cannot read '%s'", source->path);
	source->ended = got <= 0;
	return got > 0 ? (size_t)got : 0;
}

/** Let the head hold at least @p size bytes, if there are as many. */
static void fill_head(struct sample_source *source, size_t size)
{
	struct str *head = &source->head;

	head->data = mem_grow(head->data, &head->cap, size + 1, 1);
	while (head->size < size && !source->ended)
		head->size += read_file(source, head->data + head->size,
		                        head->cap - 1 - head->size);
	head->data[head->size] = '\0';
}

/** gzip data is read to its end: its size is known to be bearable then. */
static struct error *unpack(struct sample_source *source)
{
	struct error *err;

	while (!source->ended)
		fill_head(source, 2 * source->head.size);
	err = gzip_inflate(bytes_from_text(str_text(&source->head)),
	                   WHOLE_BYTES_MAX, &source->unpacked);
	if (err)
		return error_prefix(err, "%s", source->path);
	str_release(&source->head);
	if (source->unpacked.fault)
		source->failure = error_new(ERROR_FORMAT, "%s: %s",
		                            source->path,
		                            source->unpacked.fault);
	return NULL;
}

/** What is there to be given, without reading on. */
static struct text ready(const struct sample_source *source)
{
	struct text all = source->whole.data ? source->whole
	                                     : str_text(&source->head);

	return text_after(all, source->used);
}

/** UTF-16 is read to its end, too: a few bytes more for each character. */
static struct error *decode(struct sample_source *source)
{
	while (!source->whole.data && !source->ended) {
		if (source->head.size > WHOLE_BYTES_MAX)
			return error_new(ERROR_LIMIT,
			                 "%s: UTF-16 text of more than %zu MB",
			                 source->path, WHOLE_BYTES_MAX >> 20);
		fill_head(source, 2 * source->head.size);
	}
	source->whole = parser_decode(bytes_from_text(ready(source)),
	                              &source->decoded, &source->note);
	str_release(&source->head);
	gzip_release(&source->unpacked);
	return NULL;
}

/** Look at the first bytes: are they packed, and how are they encoded? */
static struct error *open_up(struct sample_source *source)
{
	struct error *err = NULL;
	struct text front;

	source->opened = true;
	if (gzip_is(bytes_from_text(str_text(&source->head)))) {
		err = unpack(source);
		if (err)
			return err;
		source->whole = bytes_text(source->unpacked.bytes);
	}
	front = ready(source);
	if (text_starts(front, "\xff\xfe") || text_starts(front, "\xfe\xff"))
		return decode(source);
	if (text_starts(front, "\xef\xbb\xbf"))
		source->used = strlen("\xef\xbb\xbf");
	return NULL;
}

struct error *sample_source_peek(struct sample_source *source, size_t size,
                                 struct text *ret)
{
	struct error *err;

	if (!source->whole.data)
		fill_head(source, source->used + size);
	if (!source->opened && (err = open_up(source)))
		return err;
	*ret = text_first(ready(source), size);
	return NULL;
}

void sample_source_skip(struct sample_source *source, size_t size)
{
	source->used += size;
}

size_t sample_source_read(void *context, char *buffer, size_t size)
{
	struct sample_source *source = context;
	struct text left = text_first(ready(source), size);

	if (!left.size)
		return read_file(source, buffer, size);
	memcpy(buffer, left.data, left.size);
	source->used += left.size;
	return left.size;
}

struct error *sample_source_take_error(struct sample_source *source)
{
	struct error *err = source->failure;

	source->failure = NULL;
	return err;
}
