// SPDX-License-Identifier: MIT
/**
 * Resolves addresses for `atos`. Words from operands, a file or standard input
 * are looked up in one slice of a Mach-O file, many at once, and printed in
 * their order.
 *
 *     struct addresses addresses = { .settings = settings, .out = out,
 *                                    .print = print_address };
 *
 *     err = addresses_open(&addresses, line, &choice);
 *     if (!err)
 *             err = addresses_answer_stream(&addresses, "-");
 */
#ifndef APMTOOL_CMD_RUN_ADDRESSES_H
#define APMTOOL_CMD_RUN_ADDRESSES_H

#include "lib/analysis/symbolicate/name_budget.h"
#include "lib/analysis/symbolicate/slices.h"
#include "lib/base/error.h"
#include "lib/base/out.h"
#include "lib/base/str.h"
#include "lib/base/text.h"
#include "lib/cli/command.h"
#include "lib/symbols/index/uuid_index.h"
#include "lib/symbols/store.h"

#include <stdbool.h>
#include <stdint.h>

/** How to read and answer addresses. */
struct address_settings {
	uint64_t load_address; ///< of the image
	bool has_load_address;
	uint64_t slide; ///< load address minus linked address
	bool has_slide;
	bool offset;    ///< addresses are offsets from the start of the image
	bool inlines;   ///< print inlined calls, then an empty line
	bool full_path; ///< print the directories of source files
	bool nearest_line;     ///< if there is no line, print the nearest one
	unsigned form;         ///< enum demangle_form
	unsigned debug_info;   ///< enum debug_reader
	bool no_cache;         ///< neither read nor write the cache
	const char *delimiter; ///< of inlined calls; NULL: a newline
};

/** Offset of an address in an image linked at @p text_address. */
uint64_t address_offset(const struct address_settings *settings,
                        uint64_t text_address, uint64_t address);

/** A word of the input, and its address, if it is one. */
struct address_word {
	struct text text;
	bool is_address;
	uint64_t address;
	uint64_t offset; ///< into the image
};

/** Zero-initialise, then set the first members, before addresses_open(). */
struct addresses {
	const struct address_settings *settings;
	struct out *out;
	void (*print)(const struct addresses *addresses,
	              const struct address_word *word,
	              const struct symbol_answer *answer, struct out *out);

	const struct notices *notices; ///< of the command line
	const struct uuid_entry *entry;
	struct symbol_store *store; ///< has the files of this slice
	struct str image_name;      ///< as printed
	uint64_t text_address;
	uint64_t text_size;
	unsigned digits; ///< of a full address
	bool warned;
	bool is_unreadable; ///< the file cannot be read, at least now
	struct name_budget names;
};

/**
 * Open this slice, which is borrowed, for look-ups; close it at the end.
 *
 * @param line  Its notices and environment are used.
 */
MUST_CHECK struct error *addresses_open(struct addresses *addresses,
                                        const struct command_line *line,
                                        const struct slice_choice *choice);

void addresses_close(struct addresses *addresses);

void addresses_answer_operands(struct addresses *addresses,
                               const struct command_line *line);

/**
 * Answer the words of a file, or of standard input (`-`), as they arrive: all
 * whole lines of one read together. A line typed at a terminal is answered at
 * once, and a pipe full of addresses is resolved in large batches.
 */
MUST_CHECK struct error *addresses_answer_stream(struct addresses *addresses,
                                                 const char *path);

#endif
