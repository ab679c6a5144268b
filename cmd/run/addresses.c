// SPDX-License-Identifier: MIT
#include "cmd/run/addresses.h"

#include "cmd/run/lines.h"
#include "cmd/run/pipeline.h"
#include "cmd/run/symbol_paths.h"
#include "lib/base/limit.h"
#include "lib/base/mem.h"
#include "lib/base/number.h"
#include "lib/base/parallel.h"
#include "lib/base/utf8.h"
#include "lib/symbols/demangle/known_names.h"
#include "lib/text/archive.h"

#include <stdlib.h>
#include <string.h>

/**
 * The cache that the config says. Whoever comes from Apple's atos has none, and
 * a fault in one is no reason to fail: then nothing is kept.
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
	// Nothing of anybody else's is in this process.
	struct symbol_store_options options = { .reads_few_here = true };
	struct error *err = slice_choice_read_text(
	        choice, &addresses->text_address, &addresses->text_size);

	// The system's errors name the file.
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
	options.keeps_mangled = addresses->settings->form == DEMANGLE_NONE;
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

/** Say once, at the end, that names were left out. */
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

/** Names as the user wants them printed; the store keeps its own. */
static void print_again(const struct addresses *addresses,
                        struct known_names *names, struct symbol_answer *answer,
                        struct arena *arena)
{
	struct symbol_call *calls;

	if (addresses->settings->form == DEMANGLE_SHORT)
		return;
	calls = arena_array(arena, answer->count, sizeof(*calls));
	for (size_t i = 0; i < answer->count; i++) {
		calls[i] = answer->calls[i];
		calls[i].name = known_names_again(
		        names, calls[i].name, calls[i].mangled,
		        addresses->settings->form, arena);
		calls[i].name_size = (uint32_t)strlen(calls[i].name);
	}
	answer->calls = calls;
}

/** What the names of a call take in a line. */
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
 * Charge an answer for its names, as those of a report are: each address adds
 * to what all of them may take. Beyond that, the function that holds the
 * address remains, with the beginning of its names: in a hostile file, some
 * bytes of an address ask for 64 calls with names of 4 kB.
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

/** From the start of an address to that of the next one, about. */
#define BYTES_BETWEEN_WORDS ((size_t)10)

/** Is there an answer without a line? */
static bool lacks_line(const struct symbol_request *request)
{
	for (size_t i = 0; i < request->count; i++)
		if (!request->answers[i].count ||
		    !request->answers[i].calls[0].line)
			return true;
	return false;
}

/** A file of which parts cannot be read matters where a line is missing. */
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

// The stages of the pipeline

/** Words that are printed at once, by one job. */
#define PIECE_WORDS ((size_t)512)
/** What a word prints, about. */
#define BYTES_PRINTED 192
/** Blocks in memory: one is read while another is answered. */
#define ADDRESS_BLOCKS 2

/** Words, and what was found out about them. */
struct address_block {
	struct str text;
	struct arena arena;
	struct address_word *words;
	struct symbol_answer *answers;
	size_t count;
	struct out **printed; ///< pieces, modulo pipeline_prepared()
};

/** Words of operands, or of a stream. */
struct address_input {
	struct addresses *addresses;
	struct pipeline pipeline;
	struct address_block blocks[ADDRESS_BLOCKS];
	const char *path;
	struct source source;
	struct lines lines;
	struct str read; ///< lines of a block
	struct str rest; ///< words that were not given yet
	size_t line;     ///< of the block
	bool has_ended;
	struct error *err;
};

/** Split the text at white space. */
static void split_words(const struct addresses *addresses,
                        struct address_block *block)
{
	struct text text = str_text(&block->text);
	struct text word;
	size_t cap = 0;

	MEM_ROOM(block->words, text.size / BYTES_BETWEEN_WORDS, cap);
	block->count = 0;
	while (text_next_word(&text, &word)) {
		struct address_word *added;

		MEM_GROW(block->words, block->count, cap);
		added = &block->words[block->count++];
		*added = (struct address_word){ .text = word };
		added->is_address = number_hex(word, &added->address);
		added->offset = address_offset(addresses->settings,
		                               addresses->text_address,
		                               added->address);
	}
}

static size_t answer_words(unsigned index, void *context)
{
	struct address_input *in = context;
	struct addresses *addresses = in->addresses;
	struct address_block *block = &in->blocks[index];
	struct arena *arena = &block->arena;
	struct symbol_request request = { .uuid = addresses->entry->uuid };
	const struct symbol_image *image = &request.image;
	struct known_names names = { 0 };
	struct symbol_query *queries;

	split_words(addresses, block);
	queries = arena_array(arena, block->count, sizeof(*queries));
	block->answers =
	        arena_array(arena, block->count, sizeof(*block->answers));
	request.queries = queries;
	request.count = block->count;
	request.answers = block->answers;
	for (size_t i = 0; i < block->count; i++)
		queries[i].offset = block->words[i].offset;
	if (block->count)
		symbol_store_resolve(addresses->store, &request, 1);
	addresses->is_unreadable |= image->cannot_open ||
	                            image->status == SYMBOL_FILE_UNREADABLE;
	warn_damaged(addresses, &request);
	for (size_t i = 0; i < block->count; i++) {
		print_again(addresses, &names, &block->answers[i], arena);
		charge_names(addresses, &block->answers[i], arena);
	}
	known_names_release(&names);
	return (block->count + PIECE_WORDS - 1) / PIECE_WORDS;
}

static struct out **piece_at(const struct address_input *in, unsigned index,
                             size_t piece)
{
	size_t count = pipeline_prepared(&in->pipeline);

	return &in->blocks[index].printed[piece % count];
}

static void print_piece(unsigned index, size_t piece, void *context)
{
	const struct address_input *in = context;
	const struct addresses *addresses = in->addresses;
	const struct address_block *block = &in->blocks[index];
	struct out **out = piece_at(in, index, piece);
	size_t first = piece * PIECE_WORDS;
	size_t end = first + PIECE_WORDS < block->count ? first + PIECE_WORDS
	                                                : block->count;

	if (!*out)
		*out = out_memory();
	str_room(out_str(*out), (end - first) * BYTES_PRINTED);
	for (size_t i = first; i < end; i++)
		addresses->print(addresses, &block->words[i],
		                 &block->answers[i], *out);
}

static void write_piece(unsigned index, size_t piece, void *context)
{
	const struct address_input *in = context;

	out_move(in->addresses->out, *piece_at(in, index, piece));
}

static void end_words(unsigned index, void *context)
{
	struct address_input *in = context;
	struct address_block *block = &in->blocks[index];

	symbol_store_trim(in->addresses->store);
	arena_release(&block->arena);
	free(block->words);
	block->words = NULL;
	out_flush(in->addresses->out);
}

static void answer_input(struct address_input *in,
                         const struct pipeline_stages *stages)
{
	unsigned jobs = parallel_processors();

	in->pipeline =
	        (struct pipeline){ .stages = stages,
		                   .context = in,
		                   .jobs = jobs,
		                   .blocks = jobs > 1 ? ADDRESS_BLOCKS : 1 };
	for (unsigned i = 0; i < ADDRESS_BLOCKS; i++)
		in->blocks[i].printed =
		        mem_zalloc(pipeline_prepared(&in->pipeline),
		                   sizeof(*in->blocks[i].printed));
	pipeline_run(&in->pipeline);
	for (unsigned i = 0; i < ADDRESS_BLOCKS; i++) {
		struct address_block *block = &in->blocks[i];

		for (size_t k = 0; k < pipeline_prepared(&in->pipeline); k++)
			out_abandon(block->printed[k]);
		free(block->printed);
		str_release(&block->text);
	}
	str_release(&in->rest);
	str_release(&in->read);
}

static size_t take_rest(unsigned index, bool *ret_more UNUSED, void *context)
{
	struct address_input *in = context;
	struct str *text = &in->blocks[index].text;

	str_clear(text);
	str_add_text(text, str_text(&in->rest));
	str_clear(&in->rest);
	return text->size > 0;
}

void addresses_answer_operands(struct addresses *addresses,
                               const struct command_line *line)
{
	static const struct pipeline_stages stages = {
		.read = take_rest,
		.gather = answer_words,
		.prepare = print_piece,
		.deliver = write_piece,
		.end = end_words,
	};
	struct address_input in = { .addresses = addresses };

	for (size_t i = 0; i < line->operand_count; i++) {
		str_add(&in.rest, line->operands[i]);
		str_add_char(&in.rest, ' ');
	}
	answer_input(&in, &stages);
}

// Streams

/** What is packed is neither text nor unpacked here; NULL: it is not. */
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

/** Lines as they come, of text as it is mostly written. */
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

/** A longer word is no address, nor anything that is to be given back. */
#define WORD_BYTES_MAX ((size_t)64 << 10)

/** Where the last word begins, which may go on after the end. */
static size_t last_word(struct text text)
{
	size_t at = text.size;

	while (at && !text_is_space(text.data[at - 1]))
		at--;
	return at;
}

/** Where a word begins that is too long; at the end where none is. */
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
 * Give the words that are whole, and keep the last one where it may go on: a
 * line may have any number of them.
 */
static void give_words(struct address_input *in, struct str *text, bool goes_on)
{
	struct text words = str_text(&in->rest);
	size_t whole = long_word(words);

	if (whole < words.size)
		in->err = refuse_word(text_first(words, whole), in->line,
		                      in->path);
	else if (goes_on)
		whole = last_word(words);
	str_add_text(text, text_first(words, whole));
	in->rest.size -= whole;
	memmove(in->rest.data, in->rest.data + whole, in->rest.size + 1);
}

static size_t read_words(unsigned index, bool *ret_more, void *context)
{
	struct address_input *in = context;
	struct str *text = &in->blocks[index].text;

	if (in->err || in->has_ended)
		return 0;
	str_clear(text);
	if (lines_next(&in->lines, &in->read, &in->line)) {
		str_add_text(&in->rest, str_text(&in->read));
		give_words(in, text, lines_broken(&in->lines, &in->read));
	} else {
		in->has_ended = true;
		if (!in->rest.size)
			return 0;
		give_words(in, text, false);
	}
	*ret_more = source_has_more(&in->source, 0);
	return 1;
}

struct error *addresses_answer_stream(struct addresses *addresses,
                                      const char *path)
{
	static const struct pipeline_stages stages = {
		.read = read_words,
		.gather = answer_words,
		.prepare = print_piece,
		.deliver = write_piece,
		.end = end_words,
	};
	struct address_input in = { .addresses = addresses,
		                    .path = path,
		                    .lines = { .source = &in.source,
		                               .at_once = true,
		                               .longest = LINES_BLOCK_BYTES },
		                    .line = 1 };
	struct error *err = open_stream(addresses, &in.source, path);

	if (!err) {
		answer_input(&in, &stages);
		err = in.err ? in.err : source_take_error(&in.source);
	}
	lines_release(&in.lines);
	source_release(&in.source);
	return err;
}
