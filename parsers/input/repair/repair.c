// SPDX-License-Identifier: MIT
#include "parsers/input/repair/repair.h"

#include "lib/base/block.h"
#include "parsers/input/repair/block.h"
#include "parsers/input/repair/cells.h"
#include "parsers/input/repair/characters.h"
#include "parsers/input/repair/escapes.h"
#include "parsers/input/repair/fragment.h"
#include "parsers/input/repair/mail.h"
#include "parsers/input/repair/markdown.h"
#include "parsers/input/repair/prefix.h"
#include "parsers/input/repair/wrap.h"

/** A layer that was undone. */
struct layer {
	struct str *out;
	struct str *note;
	size_t lines_above; ///< left out
};

static void note_outside(struct str *note, size_t above, size_t below)
{
	if (above)
		str_addf(note, "; left out %zu line%s above it", above,
		         text_plural(above));
	if (below)
		str_addf(note, "; left out %zu line%s below it", below,
		         text_plural(below));
}

static void note_joined(struct str *note, const struct wrap_result *joined)
{
	str_addf(note, "joined %zu line%s broken at column %zu", joined->joined,
	         text_plural(joined->joined), joined->width);
}

static bool open_block(struct text in, struct layer *layer)
{
	struct block outer;

	// The tags of a page go with its escapes.
	if (!block_open(in, !characters_are_html(in), layer->out, &outer))
		return false;
	str_addf(layer->note, "removed a block of '%.*s'",
	         TEXT_ARGS(outer.mark));
	note_outside(layer->note, outer.lines_above, outer.lines_below);
	layer->lines_above = outer.lines_above + outer.has_line;
	return true;
}

static void note_prefix(struct str *note, const struct prefix *prefix,
                        const struct prefix_result *result)
{
	static const char *const names[] = {
		[PREFIX_NONE] = "nothing",
		[PREFIX_QUOTE] = "the quote marks",
		[PREFIX_INDENT] = "the blanks",
		[PREFIX_LOG] = "the log prefix",
		[PREFIX_CONSOLE] = "the log prefix",
	};

	str_addf(note, "removed %s of %zu line%s", names[prefix->kind],
	         result->lines, text_plural(result->lines));
	note_outside(note, result->lines_above, result->lines_below);
	if (result->joined.joined) {
		str_add(note, "; ");
		note_joined(note, &result->joined);
	}
}

static bool remove_prefix(struct text in, struct layer *layer)
{
	struct prefix prefix = prefix_find(in);
	struct prefix_result result;

	if (prefix.kind == PREFIX_NONE)
		return false;
	// Then its soft line ends were added after the prefix.
	if (mail_is_encoded(in) && !prefix_is_everywhere(&prefix, in))
		return false;
	if (!prefix_remove(&prefix, in, layer->out, &result))
		return false;
	note_prefix(layer->note, &prefix, &result);
	layer->lines_above = result.lines_above;
	return true;
}

static bool read_escapes(struct text in, struct layer *layer)
{
	size_t count;

	if (!escapes_read(in, layer->out, &count))
		return false;
	str_addf(layer->note, "read %zu escaped line end%s", count,
	         text_plural(count));
	return true;
}

static bool remove_spans(struct text in, struct layer *layer)
{
	size_t count;

	if (!markdown_spans(in, layer->out, &count))
		return false;
	str_addf(layer->note, "removed the backticks of %zu line%s", count,
	         text_plural(count));
	return true;
}

static bool remove_marks(struct text in, struct layer *layer)
{
	size_t count;

	if (!markdown_marks(in, layer->out, &count))
		return false;
	str_addf(layer->note, "removed the marks of markdown from %zu line%s",
	         count, text_plural(count));
	return true;
}

static bool wrap_fragment(struct text in, struct layer *layer)
{
	size_t count, below;

	if (!fragment_wrap(in, layer->out, &count, &below))
		return false;
	str_addf(layer->note, "put braces around %zu member%s", count,
	         text_plural(count));
	note_outside(layer->note, 0, below);
	return true;
}

static bool join_cells(struct text in, struct layer *layer)
{
	size_t count;

	if (!cells_join(in, layer->out, &count))
		return false;
	str_addf(layer->note, "joined the cells of %zu frame%s", count,
	         text_plural(count));
	return true;
}

static bool decode_mail(struct text in, struct layer *layer)
{
	size_t count;

	if (!mail_decode(in, layer->out, &count))
		return false;
	str_addf(layer->note, "decoded quoted-printable, %zu escape%s", count,
	         text_plural(count));
	return true;
}

static bool join_lines(struct text in, struct layer *layer)
{
	struct wrap_result result;

	// Escapes change where lines end, unless the escapes were broken, too.
	if (!wrap_join_report(in, characters_are_html(in), layer->out, &result))
		return false;
	note_joined(layer->note, &result);
	return true;
}

static bool decode_html(struct text in, struct layer *layer)
{
	size_t count;

	if (!characters_html(in, layer->out, &count))
		return false;
	str_addf(layer->note, "decoded %zu HTML escape%s", count,
	         text_plural(count));
	return true;
}

static bool remove_colors(struct text in, struct layer *layer)
{
	size_t count;

	if (!characters_colors(in, layer->out, &count))
		return false;
	str_addf(layer->note, "removed %zu color code%s of a terminal", count,
	         text_plural(count));
	return true;
}

static bool replace_spaces(struct text in, struct layer *layer)
{
	size_t count;

	if (!characters_spaces(in, layer->out, &count))
		return false;
	str_addf(layer->note, "replaced %zu no-break space%s", count,
	         text_plural(count));
	return true;
}

static size_t count_joined(struct text in)
{
	SCOPED(str_release) struct str out = { 0 };
	struct wrap_result result;

	return wrap_join_report(in, characters_are_html(in), &out, &result)
	               ? result.joined
	               : 0;
}

/**
 * First of all, since they hide prefixes and quoted-printable text. But in
 * lines broken at other spaces, a run of them was part of a word.
 */
static bool replace_spaces_first(struct text in, struct layer *layer)
{
	struct text plain;

	if (!replace_spaces(in, layer))
		return false;
	plain = str_text(layer->out);
	return text_find_char(in, ' ') == TEXT_NOWHERE ||
	       prefix_find(plain).kind != PREFIX_NONE ||
	       mail_is_encoded(plain) ||
	       count_joined(in) <= count_joined(plain);
}

static bool remove_invisible(struct text in, struct layer *layer)
{
	size_t count;

	if (!characters_invisible(in, layer->out, &count))
		return false;
	str_addf(layer->note, "removed %zu invisible character%s", count,
	         text_plural(count));
	return true;
}

static bool replace_marks(struct text in, struct layer *layer)
{
	size_t count;

	if (!characters_marks(in, layer->out, &count))
		return false;
	str_addf(layer->note, "replaced %zu typographic mark%s", count,
	         text_plural(count));
	return true;
}

/** Bytes that most reports do not have. */
enum rare {
	RARE_NO_ASCII = 1 << 0,
	RARE_ESCAPE = 1 << 1, ///< of a terminal
	RARE_AMPERSAND = 1 << 2,
	RARE_BACKSLASH = 1 << 3,
	RARE_BACKTICK = 1 << 4,
};

/** Which of them @p in has, in one pass for all steps. */
static unsigned rare_in(struct text in)
{
	block high = block_each(0), escapes = high, ampersands = high,
	      slashes = high, ticks = high;

	for (size_t at = 0; at < in.size; at += BLOCK_BYTES) {
		size_t left = in.size - at;
		block bytes = left < BLOCK_BYTES
		                      ? block_load_few(in.data + at, left, ' ')
		                      : block_load(in.data + at);

		high |= bytes;
		escapes |= block_of(bytes, '\x1b');
		ampersands |= block_of(bytes, '&');
		slashes |= block_of(bytes, '\\');
		ticks |= block_of(bytes, '`');
	}
	return (block_bits(block_unusual(high, 0)) ? RARE_NO_ASCII : 0) |
	       (block_bits(escapes) ? RARE_ESCAPE : 0) |
	       (block_bits(ampersands) ? RARE_AMPERSAND : 0) |
	       (block_bits(slashes) ? RARE_BACKSLASH : 0) |
	       (block_bits(ticks) ? RARE_BACKTICK : 0);
}

/**
 * In this order: around the text, before its lines, then the lines, whose width
 * was set before escapes were decoded.
 */
static const struct {
	bool (*undo)(struct text in, struct layer *layer);
	unsigned needs; ///< enum rare: not called without them
} steps[] = {
	{ read_escapes, RARE_BACKSLASH },
	{ open_block, 0 },
	{ replace_spaces_first, RARE_NO_ASCII },
	{ remove_prefix, 0 },
	{ remove_spans, RARE_BACKTICK },
	{ remove_marks, 0 },
	{ wrap_fragment, 0 },
	{ join_cells, 0 },
	{ decode_mail, 0 },
	{ join_lines, 0 },
	{ decode_html, RARE_AMPERSAND },
	{ remove_colors, RARE_ESCAPE },
	{ replace_spaces, RARE_NO_ASCII },
	{ remove_invisible, RARE_NO_ASCII },
	{ replace_marks, RARE_NO_ASCII },
};

static bool undo_layer(struct text in, struct layer *layer)
{
	unsigned rare = rare_in(in);

	for (size_t i = 0; i < ARRAY_SIZE(steps); i++) {
		if (steps[i].needs & ~rare)
			continue;
		if (steps[i].undo(in, layer))
			return true;
		// A step may fail after writing.
		str_clear(layer->out);
		str_clear(layer->note);
	}
	return false;
}

bool repair(struct text in, struct repaired *ret)
{
	while (ret->count < REPAIR_LAYERS_MAX) {
		SCOPED(str_release) struct str out = { 0 };
		struct layer layer = {
			.out = &out,
			.note = &ret->notes[ret->count],
		};
		struct str buffer = ret->buffer;

		if (!undo_layer(in, &layer))
			break;
		ret->buffer = out;
		out = buffer;
		in = str_text(&ret->buffer);
		ret->lines_gone += layer.lines_above;
		ret->count++;
	}
	ret->text = in;
	return ret->count > 0;
}

void repaired_release(struct repaired *repaired)
{
	for (size_t i = 0; i < REPAIR_LAYERS_MAX; i++)
		str_release(&repaired->notes[i]);
	str_release(&repaired->buffer);
	*repaired = (struct repaired){ 0 };
}
