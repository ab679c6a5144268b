// SPDX-License-Identifier: MIT
/**
 * Reads lag reports: formats whose samples come by the million
 * (apmtool-formats(5)). They never become a document: samples are folded as
 * they arrive, and each complete report is delivered at once.
 *
 *     lag_reader_init(&reader, &names, visit, failed, context);
 *     sink.samples = &reader;
 *     err = read_input(in, &sink);
 *     …
 *     lag_reader_release(&reader);
 *
 * The table entries (parsers/reader.h) are in readers.c. Formats that are
 * reports (KSCrash, `sample`, spindump, MetricKit) go to the sink as reports;
 * lib/analysis/lag/stacks.h turns them into lag reports.
 *
 * A fault becomes a note of its report, with its place. A report without
 * anything usable goes to `failed`, and reading continues.
 */
#ifndef APMTOOL_PARSERS_LAG_LAG_H
#define APMTOOL_PARSERS_LAG_LAG_H

#include "lib/base/error.h"
#include "lib/base/text.h"
#include "lib/model/profile/lag.h"
#include "lib/model/report.h"
#include "lib/text/json/pull.h"

#include <stdbool.h>
#include <stddef.h>

/** Bytes of an input that lag_format_of() examines. */
#define LAG_HEAD_BYTES ((size_t)1 << 20)

enum lag_format {
	LAG_FORMAT_NONE,      ///< another format
	LAG_FORMAT_DOCUMENTS, ///< JSON: objects, arrays, several in a row
	LAG_FORMAT_LINES,     ///< JSON Lines: each line is a document
	LAG_FORMAT_COLLAPSED, ///< `a;b;c 12`; or all lines `a 12`
	LAG_FORMAT_IMAGES,    ///< an image list in NeXT text, then a document
};

/** The format of an input by its first bytes. */
enum lag_format lag_format_of(struct text head);

/** Is it an array of nodes? Their format is LAG_FORMAT_DOCUMENTS. */
bool lag_is_nodes(struct text head);

/**
 * Are these collapsed stacks with two counts each, an old and a new one, as
 * difffolded.pl writes them?
 *
 * Names end in numbers, too: `worker 2`, `load + 24`. So at least one stack
 * must have 0 as its new count: no profile has a stack without samples.
 */
bool lag_is_difference(struct text head);

/** Receives a complete report. May change it; it is cleared afterwards. */
typedef void (*lag_visit)(struct lag_report *report, void *context);
/** Receives the error of a report; @p line is the report's first line. */
typedef void (*lag_failed)(size_t line, struct error *err, void *context);

/** Images for reports without images of their own. */
struct lag_images {
	struct profile_image *items;
	size_t count;
	size_t cap;
	const char *arch; ///< NULL: unknown
	/** Faults of the list; its reader prints them once. */
	struct notice *notes;
	size_t note_count;
};

struct sink;

struct lag_reader {
	struct lag_report report; ///< the current one
	/**
	 * Images of `--images`; or NULL. They outlive the reports. The caller
	 * prints their notes.
	 */
	const struct lag_images *images;
	lag_visit visit;
	lag_failed failed; ///< owns the error
	void *context;
	struct sink *sink; ///< the sink of the input (parsers/reader.h)
	uint32_t *stack;   ///< current sample
	size_t stack_cap;
	size_t bad_lines; ///< collapsed stacks skipped, with a note
	bool pending;     ///< complete, but images may follow
	struct text line; ///< of collapsed stacks, a copy of the previous line
	/**
	 * Its nodes by the end of each frame in the line; private to parsers/.
	 */
	struct lag_prefix *prefix;
};

void lag_reader_init(struct lag_reader *reader, struct intern *names,
                     lag_visit visit, lag_failed failed, void *context);
/** Deliver the pending report. */
void lag_reader_end(struct lag_reader *reader);
void lag_reader_release(struct lag_reader *reader);

/**
 * Read all documents of an input: reports, arrays of reports, arrays of
 * samples, node lists, image lists (for reports without images in the same
 * input).
 *
 * @return Why reading ended early. Reports before that have been delivered.
 */
MUST_CHECK struct error *lag_read_documents(struct lag_reader *reader,
                                            struct json_pull *pull);

/** Read whole lines, each a document. @p first_line counts from 1. */
void lag_read_lines(struct lag_reader *reader, struct text lines,
                    size_t first_line);

/**
 * Read whole lines of collapsed stacks into reader->report. All lines are one
 * report, until lag_reader_end().
 */
void lag_read_collapsed(struct lag_reader *reader, struct text lines,
                        size_t first_line);

/**
 * Convert a lag report to a report in @p arena, for looking up its symbols: its
 * images, and one thread with each sampled place once, without counts.
 */
struct report *lag_as_report(struct lag_report *from, struct arena *arena);

/**
 * Read an image list: JSON, or the text of an Objective-C dictionary
 * (apmtool-formats(5)).
 *
 * @param in   Advanced to the end of the list.
 * @param ret  Entirely in @p arena: nothing to free.
 */
MUST_CHECK struct error *lag_images_read(struct text *in, struct arena *arena,
                                         struct lag_images *ret);

#endif
