// SPDX-License-Identifier: MIT
#include "parsers/text/line_source.h"

#include <string.h>

static void note(struct report *report, struct arena *arena, size_t line,
                 const char *text)
{
	report_add_note(report, arena, report_line_place(arena, line), text);
}

static size_t line_of(const struct line_source *source, size_t offset)
{
	size_t line = 1;

	for (size_t i = 0; i < offset; i++)
		line += source->data[i] == '\n';
	return line;
}

/** A device that lost power leaves NULs at the end, and sometimes inside. */
static void remove_nuls(struct line_source *source, struct report *report,
                        struct arena *arena)
{
	size_t size = source->size;
	char *nul;

	while (size && !source->data[size - 1])
		size--;
	if (size < source->size) {
		source->size = size;
		note(report, arena, line_of(source, size),
		     "NUL bytes at the end; removed");
	}
	nul = memchr(source->data, '\0', size);
	if (!nul)
		return;
	note(report, arena, line_of(source, (size_t)(nul - source->data)),
	     "NUL bytes; read as spaces");
	for (; nul;
	     nul = memchr(nul, '\0', size - (size_t)(nul - source->data)))
		*nul = ' ';
}

struct line_source line_source_open(struct text in, struct arena *arena,
                                    struct report *report)
{
	struct line_source source = {
		.data = arena_text(arena, in),
		.size = in.size,
	};

	report->lines_text = (struct text){ source.data, source.size };
	remove_nuls(&source, report, arena);
	source.ends_in_line = source.size &&
	                      source.data[source.size - 1] != '\n' &&
	                      source.data[source.size - 1] != '\r';
	return source;
}

bool line_source_next(struct line_source *source, struct text *ret,
                      struct line_ends *ret_ends)
{
	char *line = source->data;
	char *end;
	char *cr;
	bool at_end;

	if (!source->size)
		return false;
	// Searched once: else a text of lone CRs would take quadratic time.
	if (!source->line_feed || source->line_feed < line) {
		source->line_feed = memchr(line, '\n', source->size);
		if (!source->line_feed)
			source->line_feed = line + source->size;
	}
	end = source->line_feed;
	cr = memchr(line, '\r', (size_t)(end - line));
	at_end = end == line + source->size;
	ret_ends->cr_lf |= cr && cr + 1 == end && !at_end;
	ret_ends->cr |= cr && (cr + 1 != end || at_end);
	*ret = (struct text){ .data = line,
		              .size = (size_t)((cr ? cr : end) - line) };
	source->data = cr && cr + 1 != end ? cr + 1 : end + !at_end;
	source->size -= (size_t)(source->data - line);
	line[ret->size] = '\0';
	return true;
}
