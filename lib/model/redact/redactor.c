// SPDX-License-Identifier: MIT
#include "lib/model/redact/redactor.h"

#include "lib/base/hash.h"
#include "lib/base/mem.h"

#include <stdlib.h>
#include <string.h>

#define DIGEST_BYTES 4
/** No file system has longer paths. */
#define PATH_BYTES_MAX 4096

bool redactor_init(struct redactor *redactor)
{
	*redactor = (struct redactor){ 0 };
	return hash_secret(redactor->key, sizeof(redactor->key));
}

void redactor_init_key(struct redactor *redactor, struct text key)
{
	struct sha256 hash;

	*redactor = (struct redactor){ 0 };
	sha256_init(&hash);
	sha256_add(&hash, key);
	sha256_finish(&hash, redactor->key);
}

static void add_name(struct redact_names *names, const char *kind,
                     struct text name)
{
	MEM_GROW(names->items, names->count, names->cap);
	names->items[names->count++] =
	        (struct redact_name){ .text = arena_text(names->arena, name),
		                      .kind = kind };
}

void redactor_know(struct redactor *redactor, const char *name)
{
	struct text text = text_from(name);
	size_t slash = text_find_last_char(text, '/');

	redactor->names.arena = &redactor->arena;
	add_name(&redactor->names, REDACT_INPUT, text);
	// In the root directory, only the named file is known.
	if (slash != TEXT_NOWHERE && slash)
		add_name(&redactor->names, REDACT_INPUT,
		         text_first(text, slash + 1));
}

static int compare_names(const void *a, const void *b)
{
	const struct redact_name *one = a;
	const struct redact_name *other = b;
	int order = strcmp(one->text, other->text);

	return order ? order : strcmp(one->kind, other->kind);
}

void redact_names_sort(struct redact_names *names)
{
	if (names->count)
		qsort(names->items, names->count, sizeof(*names->items),
		      compare_names);
}

void redactor_sort(struct redactor *redactor)
{
	redact_names_sort(&redactor->names);
}

void redactor_release(struct redactor *redactor)
{
	free(redactor->names.items);
	arena_release(&redactor->arena);
}

/** Position after the last name that is not after @p in; 0 if none. */
static size_t find_before(const struct redact_names *names, struct text in)
{
	size_t first = 0;
	size_t end = names->count;

	while (first < end) {
		size_t middle = first + (end - first) / 2;

		if (text_compare(text_from(names->items[middle].text), in) <= 0)
			first = middle + 1;
		else
			end = middle;
	}
	return first;
}

static size_t common_size(struct text a, struct text b)
{
	size_t size = 0;

	while (size < a.size && size < b.size && a.data[size] == b.data[size])
		size++;
	return size;
}

/** Names between a prefix of a text and the text also begin with the prefix. */
const struct redact_name *redact_names_find(const struct redact_names *names,
                                            struct text in)
{
	in = text_first(in, PATH_BYTES_MAX);
	while (in.size) {
		size_t at = find_before(names, in);
		struct text name;

		if (!at)
			return NULL;
		name = text_from(names->items[at - 1].text);
		if (text_equal(name, in))
			return &names->items[at - 1];
		in = text_first(in, common_size(name, in));
	}
	return NULL;
}

/** A name replaced in one place of a report is replaced in all. */
static void see(struct redact_names *seen, const char *kind, struct text text)
{
	if (seen && seen->count < REDACT_NAMES_MAX &&
	    text.size >= REDACT_NAME_BYTES_MIN &&
	    (!strcmp(kind, "process") || !strcmp(kind, "user")))
		add_name(seen, kind, text);
}

/** Redacting twice has no effect. */
static bool is_pseudonym(const char *kind, struct text text)
{
	if (!text_take(&text, kind) || !text_take(&text, "-") ||
	    text.size != 2 * DIGEST_BYTES)
		return false;
	while (text.size && text_is_hex_digit(text.data[0]))
		text = text_after(text, 1);
	return !text.size;
}

void redactor_add(const struct redactor *redactor, struct str *out,
                  const char *kind, struct text text)
{
	uint8_t digest[SHA256_SIZE];

	if (is_pseudonym(kind, text)) {
		str_add_text(out, text);
		return;
	}
	see(redactor->seen, kind, text);
	sha256_hmac(redactor->key, text, digest);
	str_addf(out, "%s-", kind);
	for (size_t i = 0; i < DIGEST_BYTES; i++)
		str_add_hex(out, digest[i], 2);
}

const char *redact_whole(const struct redactor *redactor, const char *in,
                         const char *kind, struct arena *arena)
{
	SCOPED(str_release) struct str out = { 0 };

	if (!in || !*in)
		return in;
	redactor_add(redactor, &out, kind, text_from(in));
	return arena_text(arena, str_text(&out));
}

/** Start of `:12` for a line; the end without one. */
static size_t find_line(struct text name)
{
	size_t end = name.size;

	while (end && text_is_digit(name.data[end - 1]))
		end--;
	return end > 1 && end < name.size && name.data[end - 1] == ':'
	               ? end - 1
	               : name.size;
}

const char *redact_input(const struct redactor *redactor, const char *in,
                         struct arena *arena)
{
	SCOPED(str_release) struct str out = { 0 };
	struct text name;
	size_t end;

	if (!in || !*in)
		return in;
	name = text_from(in);
	end = find_line(name);
	if (text_is(text_first(name, end), "-"))
		return in;
	redactor_add(redactor, &out, REDACT_INPUT, text_first(name, end));
	str_add_text(&out, text_after(name, end));
	return arena_text(arena, str_text(&out));
}
