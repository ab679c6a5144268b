// SPDX-License-Identifier: MIT
/**
 * Derives the load address of an image without a list from two frames `symbol +
 * offset`: in a symbol file of the image's name, each symbol must be unique,
 * and both must give the same address. Two different results, of builds or of
 * pairs, are none.
 *
 *     if (symbol_bases_offer(&bases, index, &frame, &base))
 *             the image `base.uuid` is loaded at `base.address`
 *
 * Work is limited: the number of symbols per process and image, and the number
 * of symbol table entries in a run.
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

/** A load address derived from one symbol. */
struct symbol_base {
	struct uuid uuid;
	uint64_t address; ///< the load address
	uint64_t size;    ///< of the code
	uint64_t start;   ///< of the symbol, in the file
	uint64_t pid;
	uint32_t name; ///< of the image
	uint64_t at;   ///< position of the frame in the log
};

/** All zeros is empty. */
struct symbol_bases {
	struct intern names;        ///< of images
	struct intern asked;        ///< process, image and symbol
	struct symbol_base *offers; ///< ring of the last ones
	size_t count;               ///< total number
	struct intern checked;      ///< builds and symbols
	uint64_t *starts;           ///< their addresses; UINT64_MAX: unknown
	size_t start_cap;
	uint64_t entries_read; ///< of symbol tables
};

/** A frame `symbol + offset` with an address, in an image of that name. */
struct symbol_frame {
	struct text image;
	struct text symbol;
	uint64_t symbol_offset;
	uint64_t address;
	uint64_t pid; ///< of its process; 0: unknown
	uint64_t at;  ///< position in the log
};

/** Add a frame; true if it agrees with an earlier one, @p ret. */
bool symbol_bases_offer(struct symbol_bases *bases, struct uuid_index *index,
                        const struct symbol_frame *frame,
                        struct symbol_base *ret);

/**
 * Does a frame show that it is not at @p offset in this build, because its
 * symbol begins elsewhere? Then the list with the image belongs to another
 * launch.
 */
bool symbol_bases_refute(struct symbol_bases *bases, struct uuid_index *index,
                         const struct uuid *uuid,
                         const struct symbol_frame *frame, uint64_t offset);

void symbol_bases_release(struct symbol_bases *bases);

#endif
