#include "lib/model/redact/redactor.h"

#include "lib/base/hash.h"
#include "lib/base/mem.h"

#include <stdlib.h>
#include <string.h>

#define DIGEST_BYTES 4

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

static void add_name(struct redactor *redactor, struct text name)
{
	MEM_GROW(redactor->names, redactor->name_count, redactor->name_cap);
	redactor->names[redactor->name_count++] =
	        arena_text(&redactor->arena, name);
}

void redactor_know(struct redactor *redactor, const char *name)
{
	struct text text = text_from(name);
	size_t slash = text_find_last_char(text, '/');

	add_name(redactor, text);
	// Of the root, only what is named is known.
	if (slash != TEXT_NOWHERE && slash)
		add_name(redactor, text_first(text, slash + 1));
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

void redactor_sort(struct redactor *redactor)
{
	if (redactor->name_count)
		qsort(redactor->names, redactor->name_count,
		      sizeof(*redactor->names), compare_names);
}

void redactor_release(struct redactor *redactor)
{
	free(redactor->names);
	arena_release(&redactor->arena);
}

/** Redacting twice changes nothing. */
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

/** Where the `:12` of a line begins; the end where there is none. */
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
