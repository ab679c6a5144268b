// SPDX-License-Identifier: MIT
#include "lib/darwin/quantity.h"

#include "lib/base/compiler.h"
#include "lib/base/sorted.h"
#include "lib/base/str.h"
#include "lib/base/units.h"
#include "lib/base/utf8.h"

#include <string.h>

// A longer text is no quantity.
#define TEXT_MAX 128

#define POINT     QUANTITY_POINT
#define COMMA     QUANTITY_COMMA
#define BOTH      (QUANTITY_POINT | QUANTITY_COMMA)
#define DURATION  QUANTITY_DURATION
#define SIZE      QUANTITY_SIZE
#define PERCENT   QUANTITY_PERCENT
#define LUMINANCE QUANTITY_LUMINANCE
#define BARS      QUANTITY_BARS
#define RATE      QUANTITY_RATE

/** Name of a unit in some languages; one name may have several rows. */
struct spelling {
	const char *name;
	enum quantity_kind kind;
	uint64_t factor;       ///< for units_read()
	unsigned count;        ///< number implied by the name; or 0
	unsigned marks;        ///< decimal separators of its languages
	const char *languages; ///< with blanks between them; "*": any
};

static const struct spelling spellings[] = {
#define SPELLING(name, kind, factor, count, marks, languages) \
	{ name, kind, factor, count, marks, languages },
#include "lib/darwin/quantity_units.def"
#undef SPELLING
};

/** MetricKit's own units, with one name in all languages. */
static const struct spelling own_spellings[] = {
	{ "apl", LUMINANCE, 1000, 0, BOTH, "*" },
	{ "bars", BARS, 1000, 0, BOTH, "*" },
	{ "ms per s", RATE, 1000, 0, BOTH, "*" },
};

/** The languages of a region, by the mark before their fractions. */
static const struct region {
	const char *code;
	const char *point;
	const char *comma;
	const char *other;
} regions[] = {
#define REGION(code, point, comma, other) { code, point, comma, other },
#include "lib/darwin/quantity_units.def"
#undef REGION
};

// Characters

/** The value of digit @p c in any script; or -1. Source: Unicode, Nd. */
static int digit_of(uint32_t c)
{
	static const uint32_t zeros[] = {
		0x30,    0x660,   0x6f0,   0x7c0,   0x966,   0x9e6,   0xa66,
		0xae6,   0xb66,   0xbe6,   0xc66,   0xce6,   0xd66,   0xde6,
		0xe50,   0xed0,   0xf20,   0x1040,  0x1090,  0x17e0,  0x1810,
		0x1946,  0x19d0,  0x1a80,  0x1a90,  0x1b50,  0x1bb0,  0x1c40,
		0x1c50,  0xa620,  0xa8d0,  0xa900,  0xa9d0,  0xa9f0,  0xaa50,
		0xabf0,  0xff10,  0x104a0, 0x10d30, 0x11066, 0x110f0, 0x11136,
		0x111d0, 0x112f0, 0x11450, 0x114d0, 0x11650, 0x116c0, 0x11730,
		0x118e0, 0x11950, 0x11c50, 0x11d50, 0x11da0, 0x16a60, 0x16ac0,
		0x16b50, 0x1d7ce, 0x1d7d8, 0x1d7e2, 0x1d7ec, 0x1d7f6, 0x1e140,
		0x1e2f0, 0x1e950, 0x1fbf0,
	};

	for (size_t i = 0; i < ARRAY_SIZE(zeros) && zeros[i] <= c; i++)
		if (c - zeros[i] < 10)
			return (int)(c - zeros[i]);
	return -1;
}

/** Direction marks: U+200E, U+200F and U+061C. */
static bool is_direction(uint32_t c)
{
	return c == 0x200e || c == 0x200f || c == 0x61c;
}

static bool is_blank(uint32_t c)
{
	return c == ' ' || c == '\t' || c == 0xa0 || c == 0x202f || c == 0x2009;
}

/**
 * Role of a character between digits: `.` and `,` themselves, `d` for other
 * decimal separators, `g` for other grouping separators; or 0.
 */
static char mark_of(uint32_t c)
{
	switch (c) {
	case '.':
	case ',':
		return (char)c;
	case 0x66b: // of Arabic
		return 'd';
	case '\'': // of Switzerland, as is U+2019
	case 0x2019:
	case 0x66c:  // of Arabic
	case 0x60c:  // of N'Ko
	case 0x2e41: // of Adlam
		return 'g';
	default:
		return is_blank(c) ? 'g' : 0;
	}
}

// Parts of a quantity

/** Parts of a quantity. */
struct parts {
	struct str number; ///< ASCII digits, and marks as of mark_of()
	struct str unit;   ///< text before and after, separated by a blank
};

static void parts_release(struct parts *parts)
{
	str_release(&parts->number);
	str_release(&parts->unit);
}

/** Is the next character from @p at on, direction apart, a digit? */
static bool digit_follows(struct text text, size_t at)
{
	uint32_t c;
	size_t size;

	while ((size = utf8_decode(text, at, &c)) && is_direction(c))
		at += size;
	return size && digit_of(c) >= 0;
}

/** The digits from @p at on, with marks between them; returns the end. */
static size_t take_number(struct text text, size_t at, struct str *number)
{
	uint32_t c;
	size_t size;

	while ((size = utf8_decode(text, at, &c))) {
		int digit = digit_of(c);
		char mark = mark_of(c);

		if (digit >= 0)
			str_add_char(number, (char)('0' + digit));
		else if (mark && digit_follows(text, at + size))
			str_add_char(number, mark);
		else if (!is_direction(c))
			break;
		at += size;
	}
	return at;
}

/** Add a character of the unit: blanks are merged, and trimmed at the ends. */
static void add_to_unit(struct str *unit, struct text text, uint32_t c,
                        bool *blank)
{
	if (is_direction(c))
		return;
	if (is_blank(c)) {
		*blank = unit->size != 0;
		return;
	}
	if (*blank)
		str_add_char(unit, ' ');
	*blank = false;
	str_add_text(unit, text);
}

/** @return false if it is not a quantity: too long, or two numbers. */
static bool take_apart(struct text text, struct parts *ret)
{
	bool blank = false;
	size_t size;

	if (text.size > TEXT_MAX)
		return false;
	for (size_t at = 0; at < text.size; at += size) {
		uint32_t c;

		size = utf8_decode(text, at, &c);
		if (!size)
			return false;
		if (digit_of(c) < 0) {
			add_to_unit(&ret->unit,
			            text_first(text_after(text, at), size), c,
			            &blank);
			continue;
		}
		if (ret->number.size)
			return false;
		size = take_number(text, at, &ret->number) - at;
		blank = ret->unit.size != 0;
	}
	return ret->unit.size != 0;
}

// Numbers

/** Possible roles of a number's separators. */
struct reading {
	char decimal;   ///< decimal separator; or 0
	bool is_clear;  ///< it cannot be read otherwise
	unsigned marks; ///< proven of the writer: one of enum quantity_marks
};

static bool is_mark(char c)
{
	return !text_is_digit(c);
}

/** Digits from @p at on. */
static size_t count_digits(struct text number, size_t at)
{
	size_t count = 0;

	while (at + count < number.size && !is_mark(number.data[at + count]))
		count++;
	return count;
}

/**
 * Do the separators up to @p end group digits, all with the same character?
 * Groups have three digits, in India two except the last.
 */
static bool is_grouped(struct text number, size_t end)
{
	size_t at = count_digits(number, 0);
	char mark = at < end ? number.data[at] : 0;
	size_t count;

	if (mark == 'd' || (mark && (at > 3 || number.data[0] == '0')))
		return false;
	for (; at < end; at += 1 + count) {
		count = count_digits(number, at + 1);
		if (number.data[at] != mark ||
		    !(count == 3 || (count == 2 && at + 3 < end)))
			return false;
	}
	return true;
}

static unsigned proof_of(char decimal)
{
	return decimal == '.' ? POINT : decimal == ',' ? COMMA : 0;
}

/** The decimal separator implied by a grouping separator. */
static unsigned proof_of_group(char group)
{
	return group == '.' ? COMMA : group == ',' ? POINT : 0;
}

/** @return false if it is not a number. */
static bool read_marks(struct text number, struct reading *ret)
{
	size_t first = count_digits(number, 0);
	size_t last = number.size;
	char mark;
	bool fraction;
	bool group = is_grouped(number, number.size);

	*ret = (struct reading){ .is_clear = true };
	while (last > 0 && !is_mark(number.data[last - 1]))
		last--;
	if (!last)
		return true;
	mark = number.data[--last];
	fraction = mark != 'g' && is_grouped(number, last) &&
	           (last == first || number.data[first] != mark);
	if (!fraction && !group)
		return false;
	ret->decimal = fraction ? mark : 0;
	ret->is_clear = fraction != group;
	if (ret->is_clear)
		ret->marks = fraction ? proof_of(mark) : proof_of_group(mark);
	return true;
}

/** Read the digits; other characters group, except @p decimal. */
static bool read_number(struct text number, char decimal, uint64_t factor,
                        uint64_t *ret)
{
	SCOPED(str_release) struct str plain = { 0 };

	for (size_t i = 0; i < number.size; i++) {
		if (!is_mark(number.data[i]))
			str_add_char(&plain, number.data[i]);
		else if (number.data[i] == decimal)
			str_add_char(&plain, '.');
	}
	return units_read(str_text(&plain), factor, UINT64_MAX, ret);
}

// Units

static bool has_language(const char *languages, struct text language)
{
	struct text rest = text_from(languages);
	struct text word;

	while (text_next_word(&rest, &word))
		if (text_equal(word, language))
			return true;
	return false;
}

/** Is one of @p some among @p languages? */
static bool share_language(const char *languages, const char *some)
{
	struct text rest = text_from(some);
	struct text word;

	if (!strcmp(languages, "*"))
		return *some != '\0';
	while (text_next_word(&rest, &word))
		if (has_language(languages, word))
			return true;
	return false;
}

static const struct region *find_region(const char *code)
{
	size_t at;

	if (!code)
		return NULL;
	at = SORTED_SKIP(i, ARRAY_SIZE(regions),
	                 strcmp(regions[i].code, code) < 0);
	if (at == ARRAY_SIZE(regions) || strcmp(regions[at].code, code) != 0)
		return NULL;
	return &regions[at];
}

static bool is_of_region(const struct spelling *spelling,
                         const struct region *region)
{
	return share_language(spelling->languages, region->point) ||
	       share_language(spelling->languages, region->comma) ||
	       share_language(spelling->languages, region->other);
}

/** Number of languages; the max if it is not a list. */
static size_t count_languages(const char *languages)
{
	struct text rest = text_from(languages);
	struct text word;
	size_t count = strcmp(languages, "*") ? 0 : 1000;

	while (text_next_word(&rest, &word))
		count++;
	return count;
}

/**
 * Is @p a the usual meaning of the name? Most languages use it, and it is the
 * shorter unit: hardly anything is measured in hours.
 */
static bool is_usual(const struct spelling *a, const struct spelling *b)
{
	return a->factor < b->factor &&
	       count_languages(a->languages) >=
	               5 * count_languages(b->languages);
}

/** Of two meanings the region's, or the usual one; NULL: it is not clear. */
static const struct spelling *choose(const struct spelling *a,
                                     const struct spelling *b,
                                     const struct region *region)
{
	bool a_here = region && is_of_region(a, region);
	bool b_here = region && is_of_region(b, region);

	if (a_here && b_here)
		return NULL;
	if (a_here || b_here)
		return a_here ? a : b;
	return is_usual(a, b) ? a : is_usual(b, a) ? b : NULL;
}

/**
 * The unit with exactly that name.
 *
 * @param ret  NULL if ambiguous.
 * @return false if unknown.
 */
static bool find_exact(const char *name, enum quantity_kind kind, bool counts,
                       const struct region *region, const struct spelling **ret)
{
	size_t at = SORTED_SKIP(i, ARRAY_SIZE(spellings),
	                        strcmp(spellings[i].name, name) < 0);
	bool found = false;

	for (size_t i = at; i < ARRAY_SIZE(spellings); i++) {
		const struct spelling *next = &spellings[i];

		if (strcmp(next->name, name) != 0)
			break;
		if (next->kind != kind || !next->count != !counts)
			continue;
		*ret = found && *ret ? choose(*ret, next, region)
		       : found       ? NULL
		                     : next;
		found = true;
	}
	for (size_t i = 0; !found && i < ARRAY_SIZE(own_spellings); i++) {
		if (own_spellings[i].kind != kind || counts ||
		    strcmp(own_spellings[i].name, name) != 0)
			continue;
		*ret = &own_spellings[i];
		found = true;
	}
	return found;
}

/**
 * The unit with that name, with or without the point of an abbreviation; NULL
 * if unknown or ambiguous.
 */
static const struct spelling *find_spelling(struct str *unit,
                                            enum quantity_kind kind,
                                            bool counts,
                                            const struct region *region)
{
	struct text name = str_text(unit);
	const struct spelling *found = NULL;

	if (find_exact(str_cstr(unit), kind, counts, region, &found))
		return found;
	if (text_ends(name, "."))
		unit->data[--unit->size] = '\0';
	else
		str_add_char(unit, '.');
	find_exact(str_cstr(unit), kind, counts, region, &found);
	return found;
}

// Marks that can be read in two ways

/** The decimal separators of this unit's languages, in the region if known. */
static unsigned marks_of(const struct spelling *unit,
                         const struct region *region)
{
	unsigned marks = 0;

	if (region && share_language(unit->languages, region->point))
		marks |= POINT;
	if (region && share_language(unit->languages, region->comma))
		marks |= COMMA;
	return marks ? marks : unit->marks;
}

/** See the header: a formatter ends no fraction with a zero. */
static bool ends_in_group(struct text number, char mark,
                          const struct spelling *unit)
{
	bool is_program = unit->kind == DURATION && unit->factor >= 1000000 &&
	                  mark == '.';

	return number.data[number.size - 1] == '0' && !is_program;
}

/** @return false if it stays ambiguous; else sets the decimal separator. */
static bool decide(struct text number, const struct spelling *unit,
                   const struct quantity_writer *writer, char *decimal)
{
	const struct region *region = find_region(writer->region);
	unsigned mark = proof_of(*decimal);
	unsigned marks = writer->marks;

	if (!marks && ends_in_group(number, *decimal, unit)) {
		*decimal = 0;
		return true;
	}
	if (!marks)
		marks = marks_of(unit, region);
	// Languages with a separator of their own use neither for fractions.
	if (marks != POINT && marks != COMMA)
		return false;
	if (marks != mark)
		*decimal = 0;
	return true;
}

bool quantity_read(struct text text, enum quantity_kind kind,
                   const struct quantity_writer *writer, uint64_t *ret)
{
	SCOPED(parts_release) struct parts parts = { 0 };
	const struct spelling *unit;
	struct reading reading;
	struct text number;
	if (!take_apart(text, &parts))
		return false;
	number = str_text(&parts.number);
	unit = find_spelling(&parts.unit, kind, !number.size,
	                     find_region(writer->region));
	if (!unit)
		return false;
	if (!number.size) {
		*ret = unit->factor * unit->count;
		return true;
	}
	if (!read_marks(number, &reading) ||
	    (!reading.is_clear &&
	     !decide(number, unit, writer, &reading.decimal)))
		return false;
	return read_number(number, reading.decimal, unit->factor, ret);
}

unsigned quantity_marks(struct text text)
{
	SCOPED(parts_release) struct parts parts = { 0 };
	struct reading reading;

	if (!take_apart(text, &parts) || !parts.number.size ||
	    !read_marks(str_text(&parts.number), &reading))
		return 0;
	return reading.marks;
}
