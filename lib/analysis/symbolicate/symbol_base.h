// SPDX-License-Identifier: MIT
/**
 * The load address of an image of which no list is known, by two frames that
 * say `symbol + offset`: in a symbol file of the image's name, each symbol has
 * to be the only one of its name, and both have to give the same address. That
 * of two builds, or of two pairs, is no answer.
 *
 *     if (symbol_bases_offer(&bases, index, &frame, &base))
 *             the image `base.uuid` is loaded at `base.address`
 *
 * Work is bounded: so many symbols of a process and image are looked up, and so
 * many entries of symbol tables are read in a run.
 */
#ifndef APMTOOL_LIB_ANALYSIS_SYMBOLICATE_SYMBOL_BASE_H
#define APMTOOL_LIB_ANALYSIS_SYMBOLICATE_SYMBOL_BASE_H

#include "lib/base/intern.h"
#include "lib/base/text.h"
#include "lib/base/uuid.h"
#include "lib/symbols/index/uuid_index.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** What one symbol says of where an image was loaded. */
struct symbol_base {
	struct uuid uuid;
	uint64_t address; ///< the load address
	uint64_t size;    ///< of the code
	uint64_t start;   ///< of the symbol, in the file
	uint64_t pid;
	uint32_t name; ///< of the image
	uint64_t at;   ///< of the frame in the log
};

/** All zeros is empty. */
struct symbol_bases {
	struct intern names;        ///< of images
	struct intern asked;        ///< process, image and symbol
	struct symbol_base *offers; ///< a ring: the last ones
	size_t count;               ///< that there were
	struct intern checked;      ///< builds and symbols
	uint64_t *starts;           ///< of them; UINT64_MAX: not known
	size_t start_cap;
	uint64_t entries_read; ///< of symbol tables
};

/** `symbol + offset`, at an address, in an image of that name. */
struct symbol_frame {
	struct text image;
	struct text symbol;
	uint64_t symbol_offset;
	uint64_t address;
	uint64_t pid; ///< of its process; 0: not known
	uint64_t at;  ///< in the log
};

/** Take in a frame; true: it agrees with the earlier one of @p ret. */
bool symbol_bases_offer(struct symbol_bases *bases, struct uuid_index *index,
                        const struct symbol_frame *frame,
                        struct symbol_base *ret);

/**
 * Does a frame contradict that it lies at @p offset in this build? Its symbol
 * begins elsewhere there, so the list that has the image is of another run.
 */
bool symbol_bases_refute(struct symbol_bases *bases, struct uuid_index *index,
                         const struct uuid *uuid,
                         const struct symbol_frame *frame, uint64_t offset);

void symbol_bases_release(struct symbol_bases *bases);

#endif
