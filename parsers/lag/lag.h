// SPDX-License-Identifier: MIT
/**
 * Reading lag reports: the formats whose samples come by the million
 * (formats.md 7.1, and apmtool-formats(5) for the format with `samples`). They
 * never become a document: they are folded as they come, and each report is
 * handed out as soon as it is complete.
 *
 *     lag_reader_init(&reader, &names, visit, failed, context);
 *     sink.samples = &reader;
 *     err = read_input(in, &sink);
 *     …
 *     lag_reader_release(&reader);
 *
 * Their readers (parsers/reader.h) are in readers.c. Formats that are reports
 * (KSCrash, `sample`, spindump, MetricKit) go to the sink as such;
 * lib/analysis/lag/stacks.h makes lag reports of them.
 *
 * What cannot be used is a note of its report, with its place; what makes a
 * whole report useless goes to `failed`, and the rest is read on.
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

/** How much of an input lag_format_of() wants to see, if there is as much. */
#define LAG_HEAD_BYTES ((size_t)1 << 20)

enum lag_format {
	LAG_FORMAT_NONE,      ///< none of these
	LAG_FORMAT_DOCUMENTS, ///< JSON: objects, arrays, several in a row
	LAG_FORMAT_LINES,     ///< JSON Lines: each line is a document
	LAG_FORMAT_COLLAPSED, ///< `a;b;c 12`; all lines `a 12`
	LAG_FORMAT_IMAGES, ///< an image list in NeXT text, a document after it
};

/** What an input is, detected from its first bytes. */
enum lag_format lag_format_of(struct text head);

/** Is it an array of nodes? Those are LAG_FORMAT_DOCUMENTS. */
bool lag_is_nodes(struct text head);

/**
 * Are these collapsed stacks with two counts each, an old and a new one, as
 * difffolded.pl writes them?
 *
 * Names end in numbers, too: `worker 2`, `load + 24`. So one of the stacks must
 * be gone, with 0 as its new count: no profile has a stack of no samples.
 */
bool lag_is_difference(struct text head);

/** Gets a complete report; it may be changed, and is cleared afterwards. */
typedef void (*lag_visit)(struct lag_report *report, void *context);
/** Gets a report that could not be read: @p line is where it begins. */
typedef void (*lag_failed)(size_t line, struct error *err, void *context);

/** Images that belong to reports which bring none of their own. */
struct lag_images {
	struct profile_image *items;
	size_t count;
	size_t cap;
	const char *arch; ///< NULL: not said
	/** What could not be read of the list; its reader reports them, once.
	 */
	struct notice *notes;
	size_t note_count;
};

struct sink;

struct lag_reader {
	struct lag_report report; ///< the one that is being read
	/**
	 * Of `--images`; NULL: none. They outlive the reports. Their notes are
	 * the caller's to report.
	 */
	const struct lag_images *images;
	lag_visit visit;
	lag_failed failed; ///< takes over the error
	void *context;
	struct sink *sink; ///< that is read for (parsers/reader.h)
	uint32_t *stack;   ///< of one sample
	size_t stack_cap;
	size_t bad_lines; ///< of collapsed stacks: left out, and noted
	bool pending;     ///< complete, but images may still follow
	struct text line; ///< of collapsed stacks, the one before; a copy
	/** Its nodes, by where in the line each frame ends; parsers/ alone. */
	struct lag_prefix *prefix;
};

void lag_reader_init(struct lag_reader *reader, struct intern *names,
                     lag_visit visit, lag_failed failed, void *context);
/** Hand out what is still pending. */
void lag_reader_end(struct lag_reader *reader);
void lag_reader_release(struct lag_reader *reader);

/**
 * Read all documents of an input: reports, arrays of reports, arrays of
 * samples, node lists, image lists (for the reports beside them that have
 * none).
 *
 * @return Why reading ended before the input did. What came before has been
 *         handed out.
 */
MUST_CHECK struct error *lag_read_documents(struct lag_reader *reader,
                                            struct json_pull *pull);

/** Read whole lines, each a document. @p first_line counts from 1. */
void lag_read_lines(struct lag_reader *reader, struct text lines,
                    size_t first_line);

/**
 * Read whole lines of collapsed stacks into reader->report; it is one report,
 * until lag_reader_end().
 */
void lag_read_collapsed(struct lag_reader *reader, struct text lines,
                        size_t first_line);

/**
 * A lag report as a report, in @p arena: its images and, as a thread, the
 * places in them that were sampled, each once. That is what the search for
 * their symbols needs; nothing is left of the samples.
 */
struct report *lag_as_report(struct lag_report *from, struct arena *arena);

/**
 * Read an image list: JSON, or the text of an Objective-C dictionary
 * (formats.md 7.1).
 *
 * @param in   Read up to the end of the list; what follows stays in it.
 * @param ret  All of it, the items too, lives in @p arena: nothing to free.
 */
MUST_CHECK struct error *lag_images_read(struct text *in, struct arena *arena,
                                         struct lag_images *ret);

#endif
