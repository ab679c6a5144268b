#include "parsers/text/line_source.h"

#include <string.h>

// Fewer lines than this do not show a habit.
#define PREFIX_LINES 3

static void note(struct report *report, struct arena *arena, size_t line,
                 const char *text)
{
	report_add_note(report, arena, arena_printf(arena, "line %zu", line),
	                text);
}

static struct text source_text(const struct line_source *source)
{
	return (struct text){ .data = source->data, .size = source->size };
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

/** Does `<…>` hold 32 hex digits after each @p open somewhere? */
static bool has_uuid_after(struct text text, const char *open)
{
	size_t at = 0;

	for (;;) {
		size_t step = text_find(text_after(text, at), open);
		size_t digits = 0;

		if (step == TEXT_NOWHERE)
			return false;
		at += step + strlen(open);
		// 8-4-4-4-12 or without dashes.
		while (at + digits < text.size && digits < 36 &&
		       (text_is_hex_digit(text.data[at + digits]) ||
		        text.data[at + digits] == '-'))
			digits++;
		if (digits >= 32)
			return true;
	}
}

/** Length of the entity at @p at, and the character that it means. */
static size_t read_entity(struct text at, char *ret)
{
	static const struct {
		const char *name;
		char value;
	} entities[] = {
		{ "&lt;", '<' },   { "&gt;", '>' },   { "&amp;", '&' },
		{ "&quot;", '"' }, { "&#39;", '\'' }, { "&nbsp;", ' ' },
	};

	for (size_t i = 0; i < ARRAY_SIZE(entities); i++)
		if (text_starts(at, entities[i].name)) {
			*ret = entities[i].value;
			return strlen(entities[i].name);
		}
	return 0;
}

/** Only where the UUIDs are escaped too: a name may well hold `&amp;`. */
static void unescape_html(struct line_source *source, struct report *report,
                          struct arena *arena)
{
	struct text text = source_text(source);
	size_t to = 0;

	if (!has_uuid_after(text, "&lt;") || has_uuid_after(text, "<"))
		return;
	for (size_t from = 0; from < text.size;) {
		char value = text.data[from];
		size_t size = value == '&' ? read_entity(text_after(text, from),
		                                         &value)
		                           : 0;

		source->data[to++] = value;
		from += size ? size : 1;
	}
	source->size = to;
	note(report, arena, 1, "HTML escapes; decoded");
}

/** A fence of markdown around the report. */
static void remove_fence(struct line_source *source, struct report *report,
                         struct arena *arena)
{
	struct text text = source_text(source);
	struct text rest = text_trim_left(text);
	size_t blanks = text.size - rest.size;
	size_t last;
	size_t end;

	if (!text_starts(rest, "```"))
		return;
	end = text_find_char(rest, '\n');
	if (end == TEXT_NOWHERE)
		return;
	source->lines_gone = line_of(source, blanks + end + 1) - 1;
	note(report, arena, source->lines_gone, "a markdown fence; removed");
	rest = text_trim_right(text_after(rest, end + 1));
	last = text_find_last_char(rest, '\n');
	if (last != TEXT_NOWHERE && text_is(text_after(rest, last + 1), "```"))
		rest = text_first(rest, last + 1);
	source->size = rest.size;
	memmove(source->data, rest.data, rest.size);
}

/** Length of the prefix that all lines share: `> ` or a TAB; 0 for none. */
static char shared_prefix(struct text text)
{
	struct text first = text_trim_left(text);
	struct text line;
	char prefix;
	size_t count = 0;

	// Blank lines may have lost it, and trimming took a leading TAB.
	prefix = text_starts(first, ">") ? '>' : '\t';
	while (text_next_line(&text, &line)) {
		if (!text_trim(line).size)
			continue;
		if (line.data[0] != prefix)
			return '\0';
		count++;
	}
	return count >= PREFIX_LINES ? prefix : '\0';
}

static void remove_prefix(struct line_source *source, struct report *report,
                          struct arena *arena)
{
	struct text text = source_text(source);
	char prefix = shared_prefix(text);
	size_t to = 0;
	bool begins = true;

	if (!prefix)
		return;
	for (size_t from = 0; from < text.size; from++) {
		char c = text.data[from];

		if (begins && c == prefix) {
			begins = false;
			if (prefix == '>' && from + 1 < text.size &&
			    text.data[from + 1] == ' ')
				from++;
			continue;
		}
		begins = c == '\n' || c == '\r';
		source->data[to++] = c;
	}
	source->size = to;
	note(report, arena, source->lines_gone + 1,
	     prefix == '>' ? "quote marks before every line; removed"
	                   : "a tab before every line; removed");
}

struct line_source line_source_open(struct text in, struct arena *arena,
                                    struct report *report)
{
	struct line_source source = {
		.data = arena_text(arena, in),
		.size = in.size,
	};

	remove_nuls(&source, report, arena);
	remove_fence(&source, report, arena);
	remove_prefix(&source, report, arena);
	unescape_html(&source, report, arena);
	source.ends_in_line = source.size &&
	                      source.data[source.size - 1] != '\n' &&
	                      source.data[source.size - 1] != '\r';
	return source;
}

bool line_source_next(struct line_source *source, struct text *ret,
                      bool *ret_cr)
{
	char *line = source->data;
	char *end;
	char *cr;
	bool at_end;

	if (!source->size)
		return false;
	// Looked for once, else a text of lone CRs would take quadratic time.
	if (!source->line_feed || source->line_feed < line) {
		source->line_feed = memchr(line, '\n', source->size);
		if (!source->line_feed)
			source->line_feed = line + source->size;
	}
	end = source->line_feed;
	cr = memchr(line, '\r', (size_t)(end - line));
	*ret_cr |= cr != NULL;
	at_end = end == line + source->size;
	*ret = (struct text){ .data = line,
		              .size = (size_t)((cr ? cr : end) - line) };
	source->data = cr && cr + 1 != end ? cr + 1 : end + !at_end;
	source->size -= (size_t)(source->data - line);
	line[ret->size] = '\0';
	return true;
}
