#include "cmd/command.h"
#include "cmd/run/lines.h"
#include "lib/base/file.h"
#include "lib/base/mem.h"
#include "lib/base/number.h"
#include "lib/base/out.h"
#include "lib/darwin/cpu.h"
#include "lib/object/macho/macho.h"
#include "lib/symbols/symbol_store.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define ADDRESS_FILE_LIMIT_BYTES ((size_t)256 << 20)

struct atos_settings {
	const char *object;
	const char *arch;
	uint64_t load_address;
	bool has_load_address;
	uint64_t slide;
	bool has_slide;
	bool offset;
	bool inlines;
	bool full_path;
	const char *delimiter;
	const char *file;
};

static const struct option options[] = {
	OPT_TEXT('o', NULL, struct atos_settings, object, "<file>",
	         "dSYM or Mach-O file with the symbols"),
	OPT_SINGLE_DASH(OPTION_TEXT, "arch", struct atos_settings, arch,
	                "<arch>",
	                "slice of a universal file, such as arm64 or x86_64"),
	OPT_HEX('l', NULL, struct atos_settings, load_address, has_load_address,
	        "<address>", "load address of the image"),
	OPT_HEX('s', NULL, struct atos_settings, slide, has_slide, "<slide>",
	        "slide of the image: load address minus linked address"),
	OPT_SINGLE_DASH(OPTION_FLAG, "offset", struct atos_settings, offset,
	                NULL,
	                "treat addresses as offsets from the start of the "
	                "image"),
	OPT_FLAG('i', NULL, struct atos_settings, inlines,
	         "print inlined calls, and an empty line after each address"),
	OPT_SINGLE_DASH(OPTION_FLAG, "fullPath", struct atos_settings,
	                full_path, NULL, "print full paths of source files"),
	OPT_TEXT('d', NULL, struct atos_settings, delimiter, "<text>",
	         "separate inlined calls by <text> instead of a newline"),
	OPT_TEXT('f', NULL, struct atos_settings, file, "<file>",
	         "read addresses from <file>"),
	OPT_END,
};

static const struct example examples[] = {
	{ "apmtool atos -o samples/Demo.dSYM -arch arm64 -offset 0xa0c",
	  "look up an offset into the image" },
	{ "apmtool atos -o samples/Demo.dSYM -arch arm64 -l 0x100e80000 "
	  "-i 0x100e80a0c",
	  "look up an address of a report, with inlined calls" },
	{ "echo 0x100000a0c | apmtool atos -o samples/Demo.dSYM -arch arm64",
	  "look up addresses from standard input as they arrive" },
	{ NULL, NULL },
};

/** One run: the chosen slice, and where its addresses are. */
struct atos {
	const struct atos_settings *settings;
	const struct uuid_entry *entry;
	const char *image_name;
	uint64_t text_address;
	uint64_t text_size;
	unsigned digits; ///< of a full address
	struct out *out;
	bool warned;
};

/** A word of the input and the address it means, if it is one. */
struct word {
	struct text text;
	bool is_address;
	uint64_t address;
};

static uint64_t image_offset(const struct atos *atos, uint64_t address)
{
	const struct atos_settings *settings = atos->settings;

	if (settings->offset)
		return address;
	if (settings->has_load_address)
		return address - settings->load_address;
	if (settings->has_slide)
		address -= settings->slide;
	return address - atos->text_address;
}

static void print_call(const struct atos *atos, const struct symbol_call *call,
                       uint64_t offset)
{
	struct out *out = atos->out;

	out_add_visible(out, call->name);
	out_add(out, " (in ");
	out_add_visible(out, atos->image_name);
	out_add(out, ")");
	if (!call->file) {
		out_addf(out, " + %" PRIu64, offset - call->start);
		return;
	}
	out_add(out, " (");
	if (atos->settings->full_path && call->directory) {
		out_add_visible(out, call->directory);
		if (strcmp(call->directory, "/") != 0)
			out_add(out, "/");
	}
	out_add_visible(out, call->file);
	out_addf(out, ":%" PRIu32 ")", call->line);
}

static void print_answer(const struct atos *atos, const struct word *word,
                         const struct symbol_answer *answer)
{
	uint64_t offset = image_offset(atos, word->address);
	struct out *out = atos->out;
	bool inlines = atos->settings->inlines;
	size_t first = inlines || !answer->count ? 0 : answer->count - 1;

	if (!answer->count) {
		out_addf(out, "0x%0*" PRIx64, (int)atos->digits, word->address);
		if (offset < atos->text_size) {
			out_add(out, " (in ");
			out_add_visible(out, atos->image_name);
			out_add(out, ")");
		}
	}
	for (size_t i = first; i < answer->count; i++) {
		if (i > first)
			out_add(out, atos->settings->delimiter
			                     ? atos->settings->delimiter
			                     : "\n");
		print_call(atos, &answer->calls[i], offset);
	}
	out_add(out, inlines ? "\n\n" : "\n");
}

static void print_word(const struct atos *atos, struct text word)
{
	SCOPED(mem_drop) char *copy = mem_strndup(word.data, word.size);

	// atos gives back what it cannot read as an address.
	out_add_visible(atos->out, copy);
	out_add(atos->out, "\n");
}

/** Split @p text at white space and answer all its words at once. */
static void answer_text(struct atos *atos, struct text text)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct symbol_query *queries = NULL;
	struct symbol_answer *answers;
	struct symbol_image image = { 0 };
	struct word *words = NULL;
	struct text word;
	size_t count = 0, cap = 0;

	while (text_next_word(&text, &word)) {
		MEM_GROW(words, count, cap);
		words[count] = (struct word){ .text = word };
		words[count].is_address =
		        number_hex(word, &words[count].address);
		count++;
	}
	queries = arena_array(&arena, count, sizeof(*queries));
	answers = arena_array(&arena, count, sizeof(*answers));
	for (size_t i = 0; i < count; i++)
		queries[i].offset = image_offset(atos, words[i].address);
	if (count)
		symbol_resolve_entry(atos->entry, queries, count, 0, &arena,
		                     answers, &image);
	if (image.status == SYMBOL_FILE_MALFORMED && !atos->warned) {
		command_warn("'%s': %s", image.path, image.reason);
		atos->warned = true;
	}
	for (size_t i = 0; i < count; i++) {
		if (words[i].is_address)
			print_answer(atos, &words[i], &answers[i]);
		else
			print_word(atos, words[i].text);
	}
	free(words);
}

/**
 * Answer what comes in on standard input, as soon as it comes: all whole lines
 * of one read at a time. So a person at a terminal gets each line answered,
 * and a pipe full of addresses is resolved in large batches.
 */
static struct error *answer_stream(struct atos *atos)
{
	SCOPED(source_release) struct source source = { 0 };
	SCOPED(str_release) struct str block = { 0 };
	SCOPED(lines_release)
	struct lines lines = { .source = &source,
		               .at_once = true,
		               .longest = SIZE_MAX };
	struct error *err = source_open(&source, "-");
	size_t line;

	if (err)
		return err;
	while (lines_next(&lines, &block, &line)) {
		answer_text(atos, str_text(&block));
		out_flush(atos->out);
	}
	return source_take_error(&source);
}

static struct error *answer_file(struct atos *atos, const char *path)
{
	SCOPED(file_release) struct file_data file = { 0 };
	struct error *err = file_read(path, ADDRESS_FILE_LIMIT_BYTES, &file);

	if (!err)
		answer_text(atos, bytes_text(file.bytes));
	return err;
}

static struct error *answer_operands(struct atos *atos,
                                     const struct command_line *line)
{
	SCOPED(str_release) struct str words = { 0 };

	for (size_t i = 0; i < line->operand_count; i++) {
		str_add(&words, line->operands[i]);
		str_add_char(&words, ' ');
	}
	answer_text(atos, str_text(&words));
	return NULL;
}

static struct error *ambiguous(const struct uuid_entry *entries, size_t count,
                               const char *path)
{
	SCOPED(str_release) struct str archs = { 0 };

	for (size_t i = 0; i < count; i++)
		str_addf(&archs, "%s%s", i ? ", " : "",
		         darwin_arch_label(entries[i].cpu_type,
		                           entries[i].cpu_subtype));
	return error_new(ERROR_USAGE, "'%s' holds %s: choose one with -arch",
	                 path, str_cstr(&archs));
}

/** The slice of @p path that `-arch` names, or the only one. */
static struct error *choose_entry(struct uuid_index *index, const char *path,
                                  const char *arch,
                                  const struct uuid_entry **ret)
{
	size_t count;
	const struct uuid_entry *entries = uuid_index_all(index, &count);
	const struct uuid_entry *chosen = NULL;

	for (size_t i = 0; i < count; i++) {
		const struct uuid_entry *entry = &entries[i];

		if (arch && !darwin_arch_matches(arch, entry->cpu_type,
		                                 entry->cpu_subtype))
			continue;
		if (chosen && !uuid_equal(&chosen->uuid, &entry->uuid))
			return ambiguous(entries, count, path);
		if (!chosen)
			chosen = entry;
	}
	if (!chosen && arch && count)
		return error_new(ERROR_NOT_FOUND, "'%s' has no slice '%s'",
		                 path, arch);
	if (!chosen)
		return error_new(ERROR_NOT_FOUND,
		                 "no Mach-O file or dSYM in '%s'", path);
	*ret = chosen;
	return NULL;
}

static struct error *atos_open(struct atos *atos, struct uuid_index *index)
{
	const struct atos_settings *settings = atos->settings;
	SCOPED(file_release) struct file_data file = { 0 };
	SCOPED(macho_release) struct macho macho = { 0 };
	const char *slash;
	struct error *err;

	err = uuid_index_add(index, settings->object);
	if (!err)
		err = choose_entry(index, settings->object, settings->arch,
		                   &atos->entry);
	if (!err)
		err = file_map(atos->entry->path, &file);
	if (!err)
		err = macho_parse(bytes_part(file.bytes, atos->entry->offset,
		                             atos->entry->size),
		                  &macho);
	if (err)
		return err;
	slash = strrchr(atos->entry->path, '/');
	atos->image_name = slash ? slash + 1 : atos->entry->path;
	atos->text_address = macho.text_address;
	atos->text_size = macho.text_size;
	atos->digits = macho.is_64 ? 16 : 8;
	return NULL;
}

static struct error *answer(struct atos *atos, const struct command_line *line)
{
	if (atos->settings->file)
		return answer_file(atos, atos->settings->file);
	if (line->operand_count)
		return answer_operands(atos, line);
	return answer_stream(atos);
}

static enum exit_status fail(struct error *err, enum exit_status status)
{
	command_error(err);
	if (error_code(err) == ERROR_USAGE)
		status = EXIT_USAGE;
	error_free(err);
	return status;
}

static void index_drop(struct uuid_index **index)
{
	uuid_index_free(*index);
}

static enum exit_status atos_run(const struct command_line *line)
{
	const struct atos_settings *settings = line->settings;
	SCOPED(index_drop) struct uuid_index *index = uuid_index_new();
	struct atos atos = { .settings = settings };
	enum exit_status status;
	struct error *err;

	if (!settings->object)
		return command_usage("no file given; say which with -o");
	if (settings->offset + settings->has_slide +
	            settings->has_load_address >
	    1)
		return command_usage(
		        "only one of -l, -s and -offset can be given");
	err = atos_open(&atos, index);
	if (err)
		return fail(err, EXIT_ALL_FAILED);
	status = command_open_output(NULL, &atos.out);
	if (status != EXIT_DONE)
		return status;
	err = answer(&atos, line);
	return command_finish(atos.out,
	                      err ? fail(err, EXIT_ALL_FAILED) : EXIT_DONE);
}

const struct command atos_command = {
	.name = "atos",
	.summary = "convert addresses to symbols, like Apple's atos",
	.operands = "[<address>...]",
	.description =
	        "Accepts the options of Apple's atos and prints the same "
	        "lines. Addresses are hexadecimal; without operands they are "
	        "read from standard input and answered line by line. Without "
	        "-l, -s or -offset they are linked addresses, as in the file.",
	.options = options,
	.examples = examples,
	.settings_size = sizeof(struct atos_settings),
	.run = atos_run,
};
