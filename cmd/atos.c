// SPDX-License-Identifier: MIT
#include "cmd/command.h"
#include "cmd/console.h"
#include "cmd/run/addresses.h"
#include "cmd/run/output.h"
#include "cmd/run/source_paths.h"
#include "cmd/run/symbol_paths.h"
#include "lib/analysis/symbolicate/slices.h"
#include "lib/base/mem.h"
#include "lib/base/number.h"
#include "lib/base/source_path.h"
#include "lib/base/utf8.h"
#include "lib/symbols/index/map.h"

#include <inttypes.h>
#include <string.h>

struct atos_settings {
	const char *object;
	const char *arch;
	const char *uuid;
	struct option_list files;
	struct option_list bcsymbolmap;
	struct option_list path_map; ///< only for source_paths_begin()
	bool header;
	struct address_settings addresses;
};

static const struct option options[] = {
	{ .kind = OPTION_TEXT,
	  .letter = 'o',
	  .offset = offsetof(struct atos_settings, object),
	  .has_offset = SIZE_MAX,
	  .value = "<file>",
	  .help = "dSYM or Mach-O file with the symbols",
	  .is_required = true },
	OPT_SINGLE_DASH(OPTION_TEXT, 0, "arch", struct atos_settings, arch,
	                "<arch>",
	                "slice of a universal file, such as arm64 or x86_64"),
	OPT_SINGLE_DASH(OPTION_TEXT, 0, "uuid", struct atos_settings, uuid,
	                "<uuid>", "image with this UUID, if there are several"),
	OPT_HEX('l', NULL, struct atos_settings, addresses.load_address,
	        addresses.has_load_address, "<address>",
	        "load address of the image"),
	OPT_HEX('s', NULL, struct atos_settings, addresses.slide,
	        addresses.has_slide, "<slide>",
	        "slide of the image: load address minus linked address"),
	OPT_SINGLE_DASH(OPTION_FLAG, 0, "offset", struct atos_settings,
	                addresses.offset, NULL,
	                "treat addresses as offsets from the start of the "
	                "image"),
	OPT_SINGLE_DASH(OPTION_FLAG, 'i', "inlineFrames", struct atos_settings,
	                addresses.inlines, NULL,
	                "print inlined calls, and an empty line after each "
	                "address"),
	OPT_SINGLE_DASH(OPTION_FLAG, 0, "fullPath", struct atos_settings,
	                addresses.full_path, NULL,
	                "print full paths of source files"),
	OPT_SINGLE_DASH(OPTION_TEXT, 'd', "delimiter", struct atos_settings,
	                addresses.delimiter, "<text>",
	                "separate inlined calls by <text> instead of a "
	                "newline"),
	OPT_LIST('f', NULL, struct atos_settings, files, "<file>",
	         "read addresses from <file>, before those that are operands"),
	OPT_FLAG(0, "nearest-line", struct atos_settings,
	         addresses.nearest_line,
	         "if the line is 0, print the nearest one before it"),
	OPT_DEMANGLE(struct atos_settings, addresses.form),
	OPT_LIST(0, "bcsymbolmap", struct atos_settings, bcsymbolmap, "<path>",
	         "use the BCSymbolMap at <path>, or those in a directory"),
	OPT_PATH_MAP(struct atos_settings, path_map),
	OPT_DEBUG_INFO(struct atos_settings, addresses.debug_info),
	OPT_NO_CACHE(struct atos_settings, addresses.no_cache),
	// Apple's atos prints it for running processes only.
	OPT_SINGLE_DASH(OPTION_FLAG, 0, "printHeader", struct atos_settings,
	                header, NULL,
	                "accepted and ignored: only a process has a header"),
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

static void add_visible(struct str *line, const char *at, size_t size)
{
	utf8_add_visible(line, (struct text){ .data = at, .size = size });
}

/** Add `feed.cpp` or its whole path, by the rules of --path-map. */
static void add_file(const struct addresses *addresses,
                     const struct symbol_call *call, struct str *line)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const char *path;

	if (!addresses->settings->full_path) {
		add_visible(line, call->file, call->file_size);
		return;
	}
	path = symbol_call_path(call, &arena);
	add_visible(line, path, strlen(path));
}

static void print_call(const struct addresses *addresses,
                       const struct symbol_call *call, uint64_t offset,
                       struct out *out)
{
	struct str *line = out_str(out);

	add_visible(line, call->name, call->name_size);
	str_add(line, " (in ");
	str_add_text(line, str_text(&addresses->image_name));
	if (!call->file) {
		str_add(line, ") + ");
		str_add_number(line, offset - call->start);
		return;
	}
	str_add(line, ") (");
	add_file(addresses, call, line);
	str_add_char(line, ':');
	// Apple's atos prints 0 for compiler-generated code.
	str_add_number(line,
	               call->line_borrowed && !addresses->settings->nearest_line
	                       ? 0
	                       : call->line);
	str_add_char(line, ')');
}

/** Print an answer as Apple's atos does; see addresses.print. */
static void print_address(const struct addresses *addresses,
                          const struct address_word *word,
                          const struct symbol_answer *answer, struct out *out)
{
	bool inlines = addresses->settings->inlines;
	size_t first = inlines || !answer->count ? 0 : answer->count - 1;

	if (!word->is_address) {
		SCOPED(mem_drop)
		char *copy = mem_strndup(word->text.data, word->text.size);

		// As Apple's atos, print words that are no addresses unchanged.
		out_add_visible(out, copy);
		out_add(out, "\n");
		return;
	}
	if (!answer->count) {
		out_addf(out, "0x%0*" PRIx64, (int)addresses->digits,
		         word->address);
		if (word->offset < addresses->text_size) {
			out_add(out, " (in ");
			out_add(out, str_cstr(&addresses->image_name));
			out_add(out, ")");
		}
	}
	for (size_t i = first; i < answer->count; i++) {
		if (i > first)
			out_add(out, addresses->settings->delimiter
			                     ? addresses->settings->delimiter
			                     : "\n");
		print_call(addresses, &answer->calls[i], word->offset, out);
	}
	out_add(out, inlines ? "\n\n" : "\n");
}

/** Answer all addresses, those in files first. */
static struct error *answer(struct addresses *addresses,
                            const struct option_list *files,
                            const struct command_line *line)
{
	if (!files->count && !line->operand_count)
		return addresses_answer_stream(addresses, "-");
	for (size_t i = 0; i < files->count; i++) {
		struct error *err =
		        addresses_answer_stream(addresses, files->items[i]);

		if (err)
			return err;
	}
	if (line->operand_count)
		addresses_answer_operands(addresses, line);
	return NULL;
}

static enum exit_status fail(struct error *err, enum exit_status status)
{
	notice_error(&console, NULL, err);
	if (error_code(err) == ERROR_USAGE)
		status = EXIT_USAGE;
	error_free(err);
	return status;
}

/** For slice_choose(): are all addresses inside the image? */
static bool all_lie_in(uint64_t text_address, uint64_t text_size,
                       const void *context)
{
	const struct command_line *line = context;
	const struct atos_settings *settings = line->settings;
	size_t count = 0;

	for (size_t i = 0; i < line->operand_count; i++) {
		uint64_t address;

		if (!number_hex(text_from(line->operands[i]), &address))
			continue;
		if (address_offset(&settings->addresses, text_address,
		                   address) >= text_size)
			return false;
		count++;
	}
	return count;
}

static struct error *choose(struct uuid_index *index,
                            const struct command_line *line,
                            struct slice_choice *ret)
{
	const struct atos_settings *settings = line->settings;
	struct slice_wish wish = { .arch = settings->arch, .context = line };

	if (settings->uuid &&
	    !uuid_parse(text_from(settings->uuid), &wish.uuid))
		return error_new(ERROR_USAGE,
		                 "-uuid: expected a UUID, found '%s'",
		                 settings->uuid);
	// Addresses from a file or standard input are not known yet.
	if (!settings->files.count && line->operand_count)
		wish.fits = all_lie_in;
	return slice_choose(index, settings->object, &wish, ret);
}

/** Add the maps of options, then those found with symbols. */
static struct error *add_maps(struct symbol_store *store,
                              struct uuid_index *index,
                              const struct atos_settings *settings)
{
	const struct option_list *paths = &settings->bcsymbolmap;
	struct error *err = NULL;

	for (size_t i = 0; !err && i < paths->count; i++)
		err = symbol_store_add_maps(store, paths->items[i]);
	if (!err && symbol_maps_any(uuid_index_maps(index)))
		err = symbol_store_add_maps(store, settings->object);
	return err;
}

static void index_drop(struct uuid_index **index)
{
	uuid_index_free(*index);
}

static enum exit_status atos_run(const struct command_line *line)
{
	const struct atos_settings *settings = line->settings;
	SCOPED(index_drop) struct uuid_index *index = uuid_index_new();
	struct addresses addresses = { .settings = &settings->addresses,
		                       .print = print_address };
	const struct address_settings *means = &settings->addresses;
	SCOPED(slice_choice_release) struct slice_choice choice = { 0 };
	enum exit_status status;
	struct error *err;

	if (!settings->object)
		return notice_usage(&console,
		                    "no symbol file: name one with -o");
	if (means->offset + means->has_slide + means->has_load_address > 1)
		return notice_usage(
		        &console,
		        "only one of -l, -s and -offset can be given");
	err = uuid_index_add(index, settings->object);
	if (!err)
		err = choose(index, line, &choice);
	if (!err)
		err = addresses_open(&addresses, line, &choice);
	if (!err)
		err = add_maps(addresses.store, index, settings);
	if (err) {
		addresses_close(&addresses);
		return fail(err, EXIT_ALL_FAILED);
	}
	status = output_open(&console, NULL, &addresses.out);
	if (status != EXIT_DONE) {
		addresses_close(&addresses);
		return status;
	}
	err = answer(&addresses, &settings->files, line);
	status = symbols_status(&console, addresses.store, false,
	                        addresses.is_unreadable ? EXIT_ALL_FAILED
	                                                : EXIT_DONE);
	addresses_close(&addresses);
	return output_finish(&console, addresses.out,
	                     err ? fail(err, EXIT_ALL_FAILED) : status);
}

const struct command atos_command = {
	.name = "atos",
	.topic = COMMAND_SYMBOLS,
	.summary = "convert addresses to symbols, like Apple's atos",
	.operands = "[<address>...]",
	.description =
	        "Accepts the options of Apple's atos and prints the same "
	        "lines. Addresses are hexadecimal; without operands and -f "
	        "they are read from standard input and answered line by line. "
	        "Without -l, -s or -offset they are linked addresses, as in "
	        "the file.",
	.options = options,
	.examples = examples,
	.settings_size = sizeof(struct atos_settings),
	.run = atos_run,
};
