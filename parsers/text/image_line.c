// SPDX-License-Identifier: MIT
#include "parsers/text/image_line.h"

#include "lib/base/limit.h"
#include "lib/base/number.h"
#include "lib/darwin/cpu.h"

// A UUID in any spelling, with its `>`. Without a bound a line of `<` alone
// would take quadratic time.
#define UUID_TEXT_MAX 64

static bool is_arch(struct text word)
{
	return darwin_arch_is_name(word) || text_is(word, "unknown-arch") ||
	       text_is(word, "unknown") || text_is(word, "???");
}

/** Take hex digits, with `0x` or without, off the front. */
static bool take_address(struct text *rest, uint64_t *ret)
{
	struct text left = text_trim_left(*rest);
	size_t size = text_starts(left, "0x") ? 2 : 0;

	size += text_count_hex_digits(text_after(left, size));
	if (!number_hex(text_first(left, size), ret))
		return false;
	*rest = text_after(left, size);
	return true;
}

/** The end of the range, which a spindump may not know. */
static bool take_end(struct text *rest, struct image_line *ret)
{
	struct text left = text_trim_left(*rest);

	ret->has_end = !text_take(&left, "???");
	if (ret->has_end)
		return take_address(rest, &ret->end);
	*rest = left;
	return true;
}

/**
 * The last `<…>` that holds a UUID divides the line: a path may hold brackets
 * too. Old KSCrash writes `<(null)>`, which counts as a UUID that is absent.
 */
static bool find_uuid(struct text rest, struct text *before, struct text *after,
                      struct uuid *ret)
{
	struct text left = rest;

	for (;;) {
		size_t open = text_find_last_char(left, '<');
		struct text inside;
		size_t close;

		if (open == TEXT_NOWHERE)
			return false;
		inside = text_first(text_after(rest, open + 1), UUID_TEXT_MAX);
		close = text_find_char(inside, '>');
		left = text_first(left, open);
		if (close == TEXT_NOWHERE)
			continue;
		inside = text_first(inside, close);
		if (!text_is(inside, "(null)") && !uuid_parse(inside, ret))
			continue;
		*before = left;
		*after = text_after(rest, open + 1 + close + 1);
		return true;
	}
}

/** `(1.0 - 210)`, `(1.0)`, `(*)`, `(???)`; HockeyApp puts the arch there. */
static void read_version(struct text inside, struct image_line *ret)
{
	size_t dash = text_find_last(inside, " - ");

	if (is_arch(inside) && !text_is(inside, "???")) {
		ret->arch = inside;
		return;
	}
	if (text_is(inside, "*") || text_is(inside, "???"))
		return;
	if (dash != TEXT_NOWHERE) {
		ret->build = text_trim(text_after(inside, dash + 3));
		inside = text_trim(text_first(inside, dash));
	}
	ret->version = inside;
}

/** `+name arch (version)`, of which only the name must be there. */
static bool read_name(struct text left, struct image_line *ret)
{
	size_t open;
	size_t blank;

	left = text_trim(left);
	text_take(&left, "+");
	left = text_trim(left);
	open = text_find_last_char(left, '(');
	if (text_ends(left, ")") && open != TEXT_NOWHERE && open &&
	    text_is_space(left.data[open - 1])) {
		read_version(
		        text_after(text_first(left, left.size - 1), open + 1),
		        ret);
		left = text_trim_right(text_first(left, open));
	}
	blank = text_find_last_char(left, ' ');
	if (blank != TEXT_NOWHERE && is_arch(text_after(left, blank + 1))) {
		ret->arch = text_after(left, blank + 1);
		left = text_trim_right(text_first(left, blank));
	}
	ret->name = left;
	return left.size > 0;
}

bool image_line_parse(struct text line, struct image_line *ret)
{
	struct image_line parsed = { 0 };
	struct text rest = text_trim(line);
	struct text before;
	struct text after;
	size_t slash;

	text_take(&rest, "*"); // a kernel image
	if (!take_address(&rest, &parsed.start))
		return false;
	rest = text_trim_left(rest);
	if (!text_take(&rest, "-") || !take_end(&rest, &parsed) || !rest.size ||
	    !text_is_space(rest.data[0]))
		return false;
	if (find_uuid(rest, &before, &after, &parsed.uuid)) {
		after = text_trim(after);
		slash = text_find_char(after, '/');
		// Code that OpenCL makes has the path `cl_kernels`; macOS hides
		// directories, up to all of them: `*/Demo`.
		if (slash != TEXT_NOWHERE && !text_starts(after, "*/"))
			after = text_after(after, slash);
	} else {
		slash = text_find(rest, " /");
		before = text_first(rest, slash);
		after = text_trim(text_after(rest, slash));
	}
	if (!text_is(after, "???"))
		parsed.path = after;
	if (!read_name(before, &parsed))
		return false;
	*ret = parsed;
	return true;
}

bool image_line_has_bundle_id(const struct image_line *line)
{
	size_t dot = text_find_char(line->name, '.');

	return line->path.size &&
	       !text_equal(line->name, text_base_name(line->path)) &&
	       dot != TEXT_NOWHERE &&
	       text_find_char(text_after(line->name, dot + 1), '.') !=
	               TEXT_NOWHERE &&
	       !text_ends(line->name, ".dylib");
}

static const char *keep_text(struct line_reader *reader, struct text text)
{
	return text.size ? arena_text(reader->arena, text) : NULL;
}

static void add_image(struct line_reader *reader, const struct image_line *line)
{
	struct report_image *image =
	        report_add_image(reader->report, reader->arena);

	image->base = line->start;
	if (!line->has_end)
		image->size = 0;
	else if (line->end < line->start)
		line_reader_flaw(reader, LINE_FLAW_BAD_IMAGE_RANGE);
	else if (__builtin_add_overflow(line->end - line->start, 1,
	                                &image->size))
		image->size = UINT64_MAX;
	image->path = keep_text(reader, line->path);
	if (image_line_has_bundle_id(line)) {
		image->bundle_id = keep_text(reader, line->name);
		image->name = text_base_name(text_from(image->path)).data;
	} else {
		image->name = keep_text(reader, line->name);
	}
	image->arch = keep_text(reader, line->arch);
	image->version = keep_text(reader, line->version);
	image->build = keep_text(reader, line->build);
	image->uuid = line->uuid;
}

bool image_line_read(struct line_reader *reader, struct text line)
{
	struct image_line parsed;

	if (!image_line_parse(line, &parsed))
		return false;
	if (reader->report->image_count < limit_get(LIMIT_IMAGES))
		add_image(reader, &parsed);
	else
		line_reader_flaw(reader, LINE_FLAW_IMAGE_LIMIT);
	line_reader_keep(reader, line.data);
	return true;
}

bool image_line_is_truncated(const struct report *report)
{
	const struct report_image *image;

	if (!report->image_count)
		return true;
	image = &report->images[report->image_count - 1];
	if (!image->path)
		return true;
	return !image->bundle_id &&
	       !text_equal(text_base_name(text_from(image->path)),
	                   text_from(image->name));
}
