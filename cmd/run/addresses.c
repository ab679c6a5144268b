// SPDX-License-Identifier: MIT
#include "cmd/run/addresses.h"

#include "cmd/run/lines.h"
#include "cmd/run/symbol_paths.h"
#include "lib/base/limit.h"
#include "lib/base/mem.h"
#include "lib/base/number.h"
#include "lib/base/utf8.h"
#include "lib/text/archive.h"

#include <stdlib.h>
#include <string.h>

/**
 * Open the cache of the config. Ignore a missing or damaged one: users of
 * Apple's atos have none.
 */
static struct cache_directory *open_cache(const struct config_places *places)
{
	SCOPED(config_release) struct config config;
	SCOPED(error_drop) struct error *err = config_load(places, &config);

	return err ? NULL : symbols_open_cache(&config);
}

struct error *addresses_open(struct addresses *addresses,
                             const struct command_line *line,
                             const struct slice_choice *choice)
{
	const struct uuid_entry *entry = choice->entry;
	// This process has no data of others that a forked reader could see.
	struct symbol_store_options options = { 0 };
	struct error *err = slice_choice_read_text(
	        choice, &addresses->text_address, &addresses->text_size);

	// Errors of the system have the file.
	if (err && error_code(err) == ERROR_FORMAT)
		return error_prefix(err, "%s", entry->path);
	if (err)
		return err;
	addresses->notices = line->notices;
	addresses->entry = entry;
	name_budget_init(&addresses->names);
	utf8_add_visible(&addresses->image_name,
	                 text_from(text_base_cstr(entry->path)));
	addresses->digits = uuid_entry_is_64(entry) ? 16 : 8;
	options.reader = (enum debug_reader)addresses->settings->debug_info;
	options.form = (enum demangle_form)addresses->settings->form;
	if (!addresses->settings->no_cache)
		options.cache = open_cache(line->places);
	addresses->store = symbol_store_new(&options);
	symbol_store_allow(addresses->store, &entry->uuid, choice->files,
	                   choice->count);
	return NULL;
}

/** A name_budget_say. */
static void warn_names(const char *text, void *context)
{
	const struct addresses *addresses = context;

	notice_warn(addresses->notices, NULL, "'%s': %s",
	            addresses->entry->path, text);
}

/** At the end, warn once if names were shortened. */
static void warn_abridged(struct addresses *addresses)
{
	static const struct name_budget_words words = { "address", "addresses",
		                                        "as many addresses" };

	name_budget_describe(&addresses->names, &words, warn_names, addresses);
}

void addresses_close(struct addresses *addresses)
{
	warn_abridged(addresses);
	symbol_store_free(addresses->store);
	addresses->store = NULL;
	str_release(&addresses->image_name);
}

uint64_t address_offset(const struct address_settings *settings,
                        uint64_t text_address, uint64_t address)
{
	if (settings->offset)
		return address;
	if (settings->has_load_address)
		return address - settings->load_address;
	if (settings->has_slide)
		address -= settings->slide;
	return address - text_address;
}

/** Bytes of the names of a call in a line. */
static size_t name_bytes(const struct addresses *addresses,
                         const struct symbol_call *call)
{
	size_t bytes = call->name_size + call->file_size;

	if (call->file && addresses->settings->full_path)
		bytes += call->directory_size;
	return bytes;
}

static const char *abridge(struct arena *arena, const char *text,
                           uint32_t *size)
{
	if (!text)
		return NULL;
	text = arena_abridge(arena, text, ABRIDGED_NAME_MAX);
	*size = (uint32_t)strlen(text);
	return text;
}

/**
 * Charge an answer for its names, as in a report: each address adds to the
 * budget of all. Over the budget, only the function at the address remains,
 * with its name shortened: in a hostile file, an address of a few bytes may
 * have 64 calls with names of 4 kB.
 */
static void charge_names(struct addresses *addresses,
                         struct symbol_answer *answer, struct arena *arena)
{
	size_t first = addresses->settings->inlines || !answer->count
	                       ? 0
	                       : answer->count - 1;
	struct symbol_answer shown = *answer;
	size_t bytes = 0;
	struct symbol_call *call;

	shown.calls += first;
	shown.count -= (uint32_t)first;
	name_budget_add_place(&addresses->names);
	for (size_t i = first; i < answer->count; i++)
		bytes += name_bytes(addresses, &answer->calls[i]);
	if (name_budget_charge(&addresses->names, &shown, bytes))
		return;
	call = arena_alloc(arena, sizeof(*call));
	*call = answer->calls[answer->count - 1];
	call->name = abridge(arena, call->name, &call->name_size);
	call->file = abridge(arena, call->file, &call->file_size);
	call->directory =
	        abridge(arena, call->directory, &call->directory_size);
	answer->calls = call;
	answer->count = 1;
}

/** Approximate distance between the starts of two addresses. */
#define BYTES_BETWEEN_WORDS 10

/** Is there an answer without a line? */
static bool lacks_line(const struct symbol_request *request)
{
	for (size_t i = 0; i < request->count; i++)
		if (!request->answers[i].count ||
		    !request->answers[i].calls[0].line)
			return true;
	return false;
}

/** Warn of a damaged file if a line is missing. */
static void warn_damaged(struct addresses *addresses,
                         const struct symbol_request *request)
{
	const struct symbol_image *image = &request->image;

	if (addresses->warned || !image->reason ||
	    (image->damage && !lacks_line(request)))
		return;
	notice_warn(addresses->notices, NULL, "'%s': %s", image->path,
	            image->reason);
	addresses->warned = true;
}

/** Split @p text at white space and answer all words together. */
static void answer_text(struct addresses *addresses, struct text text)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct symbol_query *queries = NULL;
	struct symbol_request request = { .uuid = addresses->entry->uuid };
	const struct symbol_image *image = &request.image;
	struct address_word *words = NULL;
	struct text word;
	size_t count = 0, cap = 0;

	MEM_ROOM(words, text.size / BYTES_BETWEEN_WORDS, cap);
	while (text_next_word(&text, &word)) {
		MEM_GROW(words, count, cap);
		words[count] = (struct address_word){ .text = word };
		words[count].is_address =
		        number_hex(word, &words[count].address);
		words[count].offset = address_offset(addresses->settings,
		                                     addresses->text_address,
		                                     words[count].address);
		count++;
	}
	queries = arena_array(&arena, count, sizeof(*queries));
	request.queries = queries;
	request.count = count;
	request.answers = arena_array(&arena, count, sizeof(*request.answers));
	for (size_t i = 0; i < count; i++)
		queries[i].offset = words[i].offset;
	if (count)
		symbol_store_resolve(addresses->store, &request, 1);
	addresses->is_unreadable |= image->cannot_open ||
	                            image->status == SYMBOL_FILE_UNREADABLE;
	warn_damaged(addresses, &request);
	for (size_t i = 0; i < count; i++) {
		struct symbol_answer *answer = &request.answers[i];

		charge_names(addresses, answer, &arena);
		addresses->print(addresses, &words[i], answer, addresses->out);
	}
	symbol_store_trim(addresses->store);
	free(words);
}

void addresses_answer_operands(struct addresses *addresses,
                               const struct command_line *line)
{
	SCOPED(str_release) struct str words = { 0 };

	for (size_t i = 0; i < line->operand_count; i++) {
		str_add(&words, line->operands[i]);
		str_add_char(&words, ' ');
	}
	answer_text(addresses, str_text(&words));
}

/** Packed input is not decompressed here; NULL: not packed. */
static struct error *refuse_packed(struct source *source)
{
	struct text line = source_peek_line(source, ARCHIVE_HEAD_BYTES);
	const char *name = archive_unread_name(bytes_from_text(line));

	if (source->decoded.is_archive)
		return error_new(ERROR_UNSUPPORTED,
		                 "%s: an archive of several files",
		                 source->name);
	return name ? error_new(ERROR_UNSUPPORTED, "%s: %s: unpack it first",
	                        source->name, name)
	            : NULL;
}

/** Open a stream of lines, usually uncompressed text. */
static struct error *open_stream(const struct addresses *addresses,
                                 struct source *source, const char *path)
{
	struct error *err = source_open(source, path);

	if (!err)
		err = source_decode_lines(source, limit_get(LIMIT_UNPACKED));
	if (!err)
		err = refuse_packed(source);
	if (!err && source->decoded.note)
		notice_warn(addresses->notices, path, "%s",
		            source->decoded.note);
	return err;
}

/** A longer word is neither an address nor worth printing. */
#define WORD_BYTES_MAX ((size_t)64 << 10)

/** Start of the last word, which may continue after the block. */
static size_t last_word(struct text text)
{
	size_t at = text.size;

	while (at && !text_is_space(text.data[at - 1]))
		at--;
	return at;
}

/** Start of a word that is too long; the end without one. */
static size_t long_word(struct text text)
{
	size_t at = 0;

	while (text.size - at > WORD_BYTES_MAX) {
		struct text part = text_first(text, at + WORD_BYTES_MAX + 1);
		size_t next = last_word(part);

		if (next <= at)
			return at;
		at = next;
	}
	return text.size;
}

static struct error *refuse_word(struct text before, size_t line,
                                 const char *path)
{
	for (size_t i = 0; i < before.size; i++)
		line += before.data[i] == '\n';
	return error_new(ERROR_FORMAT,
	                 "%s: line %zu: expected an address, found a word of "
	                 "more than 64 kB",
	                 path, line);
}

/**
 * Answer the next words; keep the last one if it may continue. A line may have
 * any number of words.
 *
 * @param words  The kept word, then the block.
 * @param line   The number of its first line.
 */
static struct error *answer_words(struct addresses *addresses,
                                  struct str *words, bool goes_on, size_t line,
                                  const char *path)
{
	struct text text = str_text(words);
	size_t whole = long_word(text);
	struct error *err = NULL;

	if (whole < text.size)
		err = refuse_word(text_first(text, whole), line, path);
	else if (goes_on)
		whole = last_word(text);
	answer_text(addresses, text_first(text, whole));
	out_flush(addresses->out);
	words->size -= whole;
	memmove(words->data, words->data + whole, words->size + 1);
	return err;
}

struct error *addresses_answer_stream(struct addresses *addresses,
                                      const char *path)
{
	SCOPED(source_release) struct source source = { 0 };
	SCOPED(str_release) struct str block = { 0 };
	SCOPED(str_release) struct str words = { 0 };
	SCOPED(lines_release)
	struct lines lines = { .source = &source,
		               .at_once = true,
		               .longest = LINES_BLOCK_BYTES };
	struct error *err = open_stream(addresses, &source, path);
	size_t line = 1;

	while (!err && lines_next(&lines, &block, &line)) {
		str_add_text(&words, str_text(&block));
		err = answer_words(addresses, &words,
		                   lines_broken(&lines, &block), line, path);
	}
	if (!err && words.size)
		err = answer_words(addresses, &words, false, line, path);
	return err ? err : source_take_error(&source);
}
