// SPDX-License-Identifier: MIT
#include "lib/analysis/crash/group/owners.h"

#include "lib/base/file.h"
#include "lib/base/str.h"

#include <stdbool.h>
#include <stdint.h>

/** Of a path, the last directories; of a pattern, more parts are refused. */
#define PARTS_MAX 63

// Reading

/** Cut the pattern off: to the first blank that no backslash protects. */
static struct text take_pattern(struct text *rest)
{
	size_t end = 0;
	struct text pattern;

	while (end < rest->size && !text_is_blank(rest->data[end]))
		end += rest->data[end] == '\\' ? 2 : 1;
	pattern = text_first(*rest, end);
	*rest = text_after(*rest, end);
	return pattern;
}

/** The text after the pattern, up to a comment, with single blanks. */
static const char *read_names(struct text rest, struct arena *arena)
{
	SCOPED(str_release) struct str names = { 0 };
	struct text word;

	while (text_next_word(&rest, &word) && *word.data != '#') {
		str_add(&names, names.size ? " " : "");
		str_add_text(&names, word);
	}
	return names.size ? arena_text(arena, str_text(&names)) : NULL;
}

static struct error *read_parts(struct text pattern, struct arena *arena,
                                struct owners_rule *rule)
{
	rule->is_anchored = text_starts(pattern, "/");
	if (rule->is_anchored)
		pattern = text_after(pattern, 1);
	rule->is_directory = text_ends(pattern, "/");
	if (rule->is_directory)
		pattern = text_first(pattern, pattern.size - 1);
	rule->parts = arena_array(arena, PARTS_MAX, sizeof(*rule->parts));
	while (pattern.size && rule->part_count < PARTS_MAX) {
		size_t slash = text_find_char(pattern, '/');

		rule->parts[rule->part_count++] = text_from(
		        arena_text(arena, text_first(pattern, slash)));
		pattern = slash == TEXT_NOWHERE
		                  ? TEXT_NONE
		                  : text_after(pattern, slash + 1);
	}
	rule->is_anchored |= rule->part_count > 1;
	if (pattern.size)
		return error_new(ERROR_LIMIT, "a pattern of more than %d parts",
		                 PARTS_MAX);
	return NULL;
}

static struct error *read_rule(struct text line, struct arena *arena,
                               struct owners *owners)
{
	struct text pattern = take_pattern(&line);
	struct owners_rule *rule;

	if (text_starts(pattern, "!"))
		return error_new(ERROR_CONFIG, "a pattern that begins with "
		                               "'!' is not supported");
	if (owners->count == OWNERS_RULES_MAX)
		return error_new(ERROR_LIMIT, "more than %d patterns",
		                 OWNERS_RULES_MAX);
	ARENA_GROW(arena, owners->rules, owners->count, owners->cap);
	rule = &owners->rules[owners->count++];
	*rule = (struct owners_rule){ .names = read_names(line, arena) };
	return read_parts(pattern, arena, rule);
}

struct error *owners_parse(struct text in, const char *name,
                           struct arena *arena, struct owners *ret)
{
	struct owners owners = { 0 };
	struct error *err = NULL;
	struct text line;

	if (in.size > OWNERS_BYTES_MAX)
		return file_too_large(name, OWNERS_BYTES_MAX);
	for (unsigned number = 1; !err && text_next_line(&in, &line);
	     number++) {
		line = text_trim(line);
		if (!line.size || *line.data == '#')
			continue;
		err = read_rule(line, arena, &owners);
		if (err)
			return error_prefix(err, "%s:%u:1", name, number);
		owners.rules[owners.count - 1].line = number;
	}
	*ret = owners;
	return NULL;
}

// Matching

/** `[a-c]`, `[!x]`: returns its size; 0 if it is not closed. */
static size_t match_set(struct text glob, unsigned char c, bool *ret_matches)
{
	size_t at = 1;
	bool is_not = at < glob.size &&
	              (glob.data[at] == '!' || glob.data[at] == '^');
	bool found = false;

	at += is_not;
	for (size_t first = at; at < glob.size; at++) {
		unsigned char low = (unsigned char)glob.data[at];
		unsigned char high = low;

		if (low == ']' && at > first) {
			*ret_matches = found != is_not;
			return at + 1;
		}
		if (at + 2 < glob.size && glob.data[at + 1] == '-' &&
		    glob.data[at + 2] != ']') {
			high = (unsigned char)glob.data[at + 2];
			at += 2;
		}
		found |= c >= low && c <= high;
	}
	return 0;
}

/**
 * Match one character of @p glob other than `*`: returns its size; 0: no match.
 */
static size_t match_one(struct text glob, char c)
{
	bool matches = false;
	size_t size;

	switch (*glob.data) {
	case '?':
		return 1;
	case '[':
		size = match_set(glob, (unsigned char)c, &matches);
		return matches ? size : 0;
	case '\\':
		return glob.size > 1 && glob.data[1] == c ? 2 : 0;
	default:
		return *glob.data == c;
	}
}

/** A part of a pattern against a part of a path. */
static bool match_part(struct text glob, struct text part)
{
	size_t at = 0, from = 0;
	size_t star = TEXT_NOWHERE, star_from = 0;

	while (from < part.size) {
		size_t size = 0;

		if (at < glob.size && glob.data[at] == '*') {
			star = ++at;
			star_from = from;
			continue;
		}
		if (at < glob.size)
			size = match_one(text_after(glob, at), part.data[from]);
		if (size) {
			at += size;
			from++;
		} else if (star != TEXT_NOWHERE) {
			at = star;
			from = ++star_from;
		} else {
			return false;
		}
	}
	while (at < glob.size && glob.data[at] == '*')
		at++;
	return at == glob.size;
}

struct path {
	struct text parts[PARTS_MAX];
	size_t count;
	bool is_absolute;
};

static struct path split(struct text text)
{
	struct path path = { .is_absolute = text_starts(text, "/") };

	while (text.size) {
		size_t slash = text_find_char(text, '/');
		struct text part = text_first(text, slash);

		if (path.count == PARTS_MAX) {
			// Keep the deepest parts.
			memmove(path.parts, path.parts + 1,
			        sizeof(path.parts) - sizeof(*path.parts));
			path.count--;
			path.is_absolute = true;
		}
		if (part.size && !text_is(part, "."))
			path.parts[path.count++] = part;
		text = slash == TEXT_NOWHERE ? TEXT_NONE
		                             : text_after(text, slash + 1);
	}
	return path;
}

/** Places that a part leads to; all are sets of places in the path. */
static uint64_t step(struct text part, const struct path *path, uint64_t at)
{
	uint64_t next = 0;

	// `**`: any number of directories.
	if (text_is(part, "**"))
		return at ? ~UINT64_C(0) << __builtin_ctzll(at) : 0;
	for (size_t i = 0; i < path->count; i++)
		if (at >> i & 1 && match_part(part, path->parts[i]))
			next |= UINT64_C(2) << i;
	return next;
}

static bool matches(const struct owners_rule *rule, const struct path *path)
{
	uint64_t whole = UINT64_C(1) << path->count;
	uint64_t at = 1;
	struct text last;

	if (!rule->part_count)
		return false;
	if (!rule->is_anchored || path->is_absolute)
		at = whole - 1;
	for (size_t i = 0; i < rule->part_count && at; i++)
		at = step(rule->parts[i], path, at) & (whole | (whole - 1));
	last = rule->parts[rule->part_count - 1];
	if (rule->is_directory || text_is(last, "**"))
		return at & (whole - 1);
	// `docs/*` is about the files of that directory alone.
	if (text_is(last, "*") && rule->is_anchored)
		return at & whole;
	return at;
}

const char *owners_find(const struct owners *owners, const char *path)
{
	struct path parts = split(text_from(path));

	for (size_t i = owners->count; i-- > 0;)
		if (matches(&owners->rules[i], &parts))
			return owners->rules[i].names;
	return NULL;
}
