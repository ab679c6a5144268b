// SPDX-License-Identifier: MIT
/**
 * A batch: some inputs, read and parsed at once, each into an arena of its
 * own. Batches are bounded, so the memory of a run does not grow with the
 * number of its inputs. An input is a file, or bytes that are in memory: a
 * line of a stream, a message of a queue.
 */
#ifndef APMTOOL_CMD_RUN_BATCH_H
#define APMTOOL_CMD_RUN_BATCH_H

#include "cmd/run/inputs.h"
#include "lib/base/arena.h"
#include "lib/base/error.h"
#include "lib/base/text.h"
#include "lib/config/config.h"
#include "lib/model/notice.h"
#include "lib/model/report.h"

#include <stddef.h>

/** At most so many inputs at once, and about so many bytes of them. */
#define BATCH_ENTRIES_MAX 256
#define BATCH_BYTES_MAX   ((size_t)4 << 20)

struct batch_entry {
	const char *name; ///< for messages: the path, or path and line
	bool from_directory;
	struct text content; ///< data NULL: a file of this name
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
};

struct batch {
	struct batch_entry entries[BATCH_ENTRIES_MAX];
	size_t count;
	size_t bytes;                ///< of the inputs in it
	const struct config *config; ///< whose rules apply to the images
	/**
	 * What is read, and what the command is about (parsers/reader.h). Of
	 * samples, the images and the places in them (lag_as_report()).
	 */
	unsigned takes;
	unsigned wants;
};

/** Add a file; borrowed until batch_clear(). */
void batch_add_file(struct batch *batch, const struct input *input);

/**
 * Add bytes; they and their name are borrowed until batch_clear().
 *
 * @return The entry, to say more of it.
 */
struct batch_entry *batch_add_content(struct batch *batch, const char *name,
                                      struct text content);

/** Whether the next input should wait for the next batch. */
bool batch_is_full(const struct batch *batch);

/**
 * Read and parse all entries that are not yet, on at most @p jobs threads.
 */
void batch_parse(struct batch *batch, unsigned jobs);
/**
 * Its parts, for threads that do more than that: one entry, if it is not parsed
 * yet, of the batch that is @p context; and then, by one thread, those again
 * for which descriptors or memory were short while others held them.
 */
void batch_parse_entry(size_t index, void *context);
void batch_parse_again(struct batch *batch);

/** Drop all entries. */
void batch_clear(struct batch *batch);

#endif
