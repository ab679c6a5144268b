// SPDX-License-Identifier: MIT
/**
 * A batch: some inputs, each parsed into an arena of its own. Batches are
 * bounded, so the memory of a run does not grow with the number of its inputs.
 * An input is a file, or bytes that are in memory: a line of a stream, a
 * message of a queue.
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

/** At most so many inputs at once, and about so many bytes of them. */
#define BATCH_ENTRIES_MAX 256
#define BATCH_BYTES_MAX   ((size_t)4 << 20)
/** Room besides them: where the lines of a stream begin and end. */
#define BATCH_MARKS 2

enum batch_kind {
	BATCH_REPORTS,   ///< a file or bytes, with reports
	BATCH_GROUPS,    ///< a table of groups, alone in its batch
	BATCH_LINES,     ///< the entries after it are lines of this stream
	BATCH_LINES_END, ///< of the stream; its error is why it ended early
};

struct batch_entry {
	enum batch_kind kind;
	const char *name; ///< for messages: the path, or path and line
	bool from_directory;
	struct text content; ///< data NULL: a file of this name
	size_t copied_at;    ///< in the batch's text, of copied bytes
	bool is_copied;
	struct arena arena;
	struct report *reports; ///< linked by next; NULL: see err
	struct error *err;
	/** Of what has no report that could note it; places are in the input.
	 */
	struct notice *notes;
	size_t note_count;
	size_t note_cap;
	/** Of reports that the command took out of several; NULL: of none. */
	struct error *refused;
	size_t refused_count;
	unsigned tag; ///< of whoever added it
};

struct batch {
	struct batch_entry entries[BATCH_ENTRIES_MAX + BATCH_MARKS];
	size_t count;
	size_t bytes;                ///< of the inputs in it
	const struct config *config; ///< whose rules apply to the images
	/**
	 * What is read, and what the command is about (parsers/reader.h). Of
	 * samples, the images and the places in them (lag_as_report()).
	 */
	unsigned takes;
	unsigned wants;
	struct source source; ///< of an input that is alone in the batch
	struct str text;      ///< of entries whose bytes were copied
};

/** Add an entry that has no content; @p name is borrowed. */
struct batch_entry *batch_add(struct batch *batch, enum batch_kind kind,
                              const char *name);

/** Add a file; borrowed until batch_clear(). */
void batch_add_file(struct batch *batch, const struct input *input);

/**
 * Add bytes; they and their name are borrowed until batch_clear().
 *
 * @return The entry, whose arena may hold the bytes and the name.
 */
struct batch_entry *batch_add_content(struct batch *batch, const char *name,
                                      struct text content);

/**
 * The same of bytes that are copied. They are where the entry says once
 * batch_end_copies() was called.
 */
struct batch_entry *batch_add_copy(struct batch *batch, struct text content);
void batch_end_copies(struct batch *batch);

/** Whether the next input should wait for the next batch. */
bool batch_is_full(const struct batch *batch);

/** Read and parse an entry, if it is not parsed yet. */
void batch_parse_entry(struct batch *batch, size_t index);

/** Whether descriptors or memory were short while entries were parsed. */
bool batch_was_short(const struct batch *batch);

/** Parse those entries again. */
void batch_parse_again(struct batch *batch);

/** Drop all entries. */
void batch_clear(struct batch *batch);

#endif
