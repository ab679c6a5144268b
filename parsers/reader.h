// SPDX-License-Identifier: MIT
/**
 * Readers: each reads one format, from the bytes of an input into a sink.
 *
 * parsers.def lists them all: crash-like reports, lag formats, session records,
 * tables of groups. reader_find() detects the format by the bytes of an input,
 * never by its name (formats.md chapter 1). A command says what it takes. If an
 * input holds something else, that is a value (parsers/input/found.h), from
 * which the refusal is worded.
 *
 *     SCOPED(arena_release) struct arena arena = { 0 };
 *     struct sink sink = {
 *             .arena = &arena,
 *             .takes = YIELDS_ANY_REPORT,
 *             .wants = YIELDS_REPORTS,
 *     };
 *
 *     if ((err = read_input(bytes, &sink)))
 *             return error_prefix(err, "%s", path);
 *     for (report = sink.first; report; report = report->next)
 *             …
 */
#ifndef APMTOOL_PARSERS_READER_H
#define APMTOOL_PARSERS_READER_H

#include "lib/base/arena.h"
#include "lib/base/cursor.h"
#include "lib/base/error.h"
#include "lib/model/group_row.h"
#include "lib/model/notice.h"
#include "lib/model/report.h"
#include "lib/model/session.h"
#include "parsers/envelope/envelope.h"
#include "parsers/input/found.h"

#include <stdbool.h>
#include <stddef.h>

struct lag_reader;
struct wrapping;

/** Receives what readers read, as they read it. */
struct sink {
	struct arena *arena;   ///< reports live in it
	struct arena *lasting; ///< records of sessions do
	unsigned takes;        ///< enum yields: other readers are not used
	/** Of these, what the command is about: a refusal names it. */
	unsigned wants;
	void *context; ///< of the functions

	struct report *first; ///< linked by next; NULL: none was read
	struct report *last;
	/** Gets samples (parsers/lag/lag.h); of YIELDS_SAMPLES. */
	struct lag_reader *samples;
	/** Gets the records of a file; of YIELDS_SESSIONS. */
	void (*sessions)(const struct session_file *file,
	                 const struct sink *sink);
	/** Gets a row; an error ends the table. Of YIELDS_GROUPS. */
	struct error *(*group)(const struct group_row *row, void *context);
	/**
	 * Gets what there is to say of an input or file without a report, which
	 * would have it as its note; lives until this returns. NULL: dropped.
	 */
	void (*notice)(const struct notice *notice, const struct sink *sink);
	/** The file of an archive that is read; NULL: the input is no archive.
	 */
	const char *member;

	// Of read_input(), which sets them:
	const struct wrapping *wrapping; ///< around what is read; NULL: nothing
	size_t *left_bytes;              ///< may still be unpacked
};

/** Add @p report, and those that are linked to it. */
void sink_report(struct sink *sink, struct report *report);

/**
 * Give a notice.
 *
 * @param place  In the file of the archive, if it is one; NULL: all of it.
 */
void sink_notice(const struct sink *sink, enum notice_kind kind,
                 const char *place, const char *text);

/** The same sink, of which the reports are still to be added to @p sink. */
struct sink sink_part(const struct sink *sink);

/** How an input may be given to its reader. */
enum reader_streams {
	STREAMS_NOTHING,    ///< all of it, in envelope.text
	STREAMS_DOCUMENTS,  ///< as JSON events, in envelope.pull
	STREAMS_LINES,      ///< blocks of whole lines; each is a report
	STREAMS_PART_LINES, ///< the same, where all lines are one report
};

/** Does it read blocks of lines? */
static inline bool reader_streams_lines(enum reader_streams streams)
{
	return streams == STREAMS_LINES || streams == STREAMS_PART_LINES;
}

struct reader {
	const char *name; ///< becomes report.format: `crash-text`
	/** For `apmtool doctor`; NULL: a form of the reader above it. */
	const char *summary;
	unsigned yields; ///< enum yields
	/** What it is called where it is not taken; NULL: as what it yields. */
	const char *noun;
	enum reader_streams streams;
	/** The bytes are read as they are, before any decoding. */
	bool is_binary;
	/**
	 * Does this look like ours? @p in is text without BOM, UTF-8 (but for
	 * binary formats): READER_HEAD_BYTES, or all of it. Called in the
	 * order of the table; the first that returns true gets the input.
	 */
	bool (*sniff)(const struct envelope *in);
	/**
	 * Read as much as there is. What can be skipped becomes a note; only
	 * an input with nothing to report is an error. A reader of reports
	 * that leaves the sink empty means that this is another format. The
	 * sink may not point into @p in. NULL: the format is known, but no
	 * command takes what it yields.
	 */
	MUST_CHECK struct error *(*read)(const struct envelope *in,
	                                 struct sink *sink);
};

#define READER(name, file) extern const struct reader name##_reader;
#include "parsers/parsers.def"
#undef READER

/** All readers in sniffing order; ends with NULL. */
extern const struct reader *const readers[];

/** Formats are detected in so many bytes, or in all of a shorter input. */
#define READER_HEAD_BYTES ((size_t)1 << 20)

/**
 * The one detector: the first reader that yields any of @p yields and knows
 * this; NULL: none does.
 */
const struct reader *reader_find(const struct envelope *in, bool is_binary,
                                 unsigned yields);

/**
 * The same for all of an input, by its decoded @p head of READER_HEAD_BYTES, or
 * all of it; binary formats first. Not of reports: an input may hold several.
 */
const struct reader *reader_of_head(struct text head, unsigned yields);

/**
 * Read JSON that @p feed gives, with a reader of STREAMS_DOCUMENTS.
 *
 * @param context  Of the feed.
 */
MUST_CHECK struct error *reader_read_feed(const struct reader *reader,
                                          json_pull_read feed, void *context,
                                          struct sink *sink);

/**
 * Read whole lines with a reader of lines; there may be more.
 *
 * @param line  Number of the first in the input, from 1.
 */
MUST_CHECK struct error *reader_read_lines(const struct reader *reader,
                                           struct text lines, size_t line,
                                           struct sink *sink);

/** Does @p in, text of one report, look like that of @p reader? */
bool reader_sniff(const struct reader *reader, struct text in);

/** Read @p in, a text of reports, with @p reader, whatever it looks like. */
MUST_CHECK struct error *reader_read(const struct reader *reader,
                                     struct text in, struct arena *arena,
                                     struct report **ret);

/**
 * The one entry: decode, open archives, detect the format and read. Several
 * reports in one input are linked by `next`, and their `origin` says which each
 * is. What lies between them and cannot be read is a note of the report before
 * it. The error of an input of which nothing was read says what it is instead,
 * as far as its bytes show: "a PNG image", "a source map", "empty".
 */
MUST_CHECK struct error *read_input(struct bytes in, struct sink *sink);

#endif
