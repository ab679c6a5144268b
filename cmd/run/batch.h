// SPDX-License-Identifier: MIT
/**
 * A batch of inputs, each parsed into its own arena. Batches are bounded, so
 * the memory of a run does not grow with the number of inputs. An input is a
 * file, or bytes in memory: a line of a stream, or a message of a queue.
 */
#ifndef APMTOOL_CMD_RUN_BATCH_H
#define APMTOOL_CMD_RUN_BATCH_H

#include "cmd/run/inputs.h"
#include "cmd/run/source.h"
#include "lib/base/arena.h"
#include "lib/base/error.h"
#include "lib/base/text.h"
#include "lib/config/config.h"
#include "lib/model/notice.h"
#include "lib/model/report.h"

#include <stdbool.h>
#include <stddef.h>

/** Max inputs in a batch, and approximate max of their bytes. */
#define BATCH_ENTRIES_MAX 256
#define BATCH_BYTES_MAX   ((size_t)4 << 20)
/** Additional entries for the beginning and end of a stream. */
#define BATCH_MARKS 2

enum batch_kind {
	BATCH_REPORTS,   ///< a file or bytes, with reports
	BATCH_GROUPS,    ///< a table of groups, the only entry of its batch
	BATCH_LINES,     ///< the next entries are lines of this stream
	BATCH_LINES_END, ///< end of the stream; has the error that ended it
	                 ///< early
};

struct batch_entry {
	enum batch_kind kind;
	const char *name; ///< for messages: the path, or path and line
	bool from_directory;
	struct text content; ///< data NULL: the file with this name
	size_t copied_at;    ///< for copied bytes: offset in the batch's text
	bool is_copied;
	struct arena arena;
	struct report *reports; ///< linked by next; NULL: none, see err
	struct error *err;
	/** Notes of an input without a report; places are in the input. */
	struct notice *notes;
	size_t note_count;
	size_t note_cap;
	/** First refused report, and the number of refused ones. */
	struct error *refused;
	size_t refused_count;
	unsigned tag; ///< for the caller that added it
};

struct batch {
	struct batch_entry entries[BATCH_ENTRIES_MAX + BATCH_MARKS];
	size_t count;
	size_t bytes;                ///< of its inputs
	const struct config *config; ///< rules for images
	/**
	 * What to read, and the subject of the command (parsers/reader.h).
	 * Samples become images and places (lag_as_report()).
	 */
	unsigned takes;
	unsigned wants;
	struct source source; ///< of the input, if it is the only one
	struct str text;      ///< copied bytes of entries
};

/** Add an entry without content; @p name is borrowed. */
struct batch_entry *batch_add(struct batch *batch, enum batch_kind kind,
                              const char *name);

/** Add a file; borrowed until batch_clear(). */
void batch_add_file(struct batch *batch, const struct input *input);

/**
 * Add bytes; bytes and name are borrowed until batch_clear().
 *
 * @return The entry; its arena may hold bytes and name.
 */
struct batch_entry *batch_add_content(struct batch *batch, const char *name,
                                      struct text content);

/**
 * As batch_add_content(), with copied bytes. The entry's content is valid after
 * batch_end_copies().
 */
struct batch_entry *batch_add_copy(struct batch *batch, struct text content);
void batch_end_copies(struct batch *batch);

/** Is it full, so that the next input belongs in the next batch? */
bool batch_is_full(const struct batch *batch);

/** Read and parse an entry unless it is already parsed. */
void batch_parse_entry(struct batch *batch, size_t index);

/** Did parsing run out of descriptors or memory? */
bool batch_was_short(const struct batch *batch);

/** Parse the entries again that failed for that reason. */
void batch_parse_again(struct batch *batch);

/** Drop all entries. */
void batch_clear(struct batch *batch);

#endif
