// SPDX-License-Identifier: MIT
/**
 * Readers: each parses one format from the bytes of an input into a sink.
 *
 * parsers.def lists them: crash-like reports, lag formats, session records,
 * group tables. reader_find() detects the format from an input's bytes, never
 * from its name. A command states in its sink what it takes. For another input
 * the error describes what it is (parsers/input/found.h).
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

/** Receives the results of readers, as they are read. */
struct sink {
	struct arena *arena;   ///< owns reports
	struct arena *lasting; ///< owns session records
	unsigned takes;        ///< enum yields: only readers of these are used
	/** The part of @c takes that an error message names. */
	unsigned wants;
	void *context; ///< for the functions

	struct report *first; ///< linked by next; NULL: no report
	struct report *last;
	/** Receives samples (parsers/lag/lag.h); for YIELDS_SAMPLES. */
	struct lag_reader *samples;
	/** Receives the records of a file; for YIELDS_SESSIONS. */
	void (*sessions)(const struct session_file *file,
	                 const struct sink *sink);
	/** Receives a row; an error ends the table. For YIELDS_GROUPS. */
	struct error *(*group)(const struct group_row *row, void *context);
	/**
	 * Receives a note about an input or a file without a report. Valid
	 * during the call. NULL: notices are dropped.
	 */
	void (*notice)(const struct notice *notice, const struct sink *sink);
	/** The current file of an archive; NULL: the input is no archive. */
	const char *member;

	// Set by read_input():
	/** the envelope around the reports; or NULL */
	const struct wrapping *wrapping;
	size_t *left_bytes; ///< may still be decompressed
};

/** Add @p report and those linked to it. */
void sink_report(struct sink *sink, struct report *report);

/**
 * Deliver a notice.
 *
 * @param place  Place in the input or in the archive's file; NULL: all of it.
 */
void sink_notice(const struct sink *sink, enum notice_kind kind,
                 const char *place, const char *text);

/** A copy of @p sink without reports; add its reports to @p sink afterwards. */
struct sink sink_part(const struct sink *sink);

/** How a reader takes its input. */
enum reader_streams {
	STREAMS_NOTHING,    ///< all of it, in envelope.text
	STREAMS_DOCUMENTS,  ///< as JSON events, in envelope.pull
	STREAMS_LINES,      ///< blocks of whole lines; each line is a report
	STREAMS_PART_LINES, ///< as STREAMS_LINES, but all lines are one report
};

/** Does it read blocks of lines? */
static inline bool reader_streams_lines(enum reader_streams streams)
{
	return streams == STREAMS_LINES || streams == STREAMS_PART_LINES;
}

struct reader {
	const char *name; ///< becomes report.format: `crash-text`
	/** For `apmtool doctor`; NULL: a variant of the reader above it. */
	const char *summary;
	unsigned yields; ///< enum yields
	/** Name of such an input in errors; NULL: derived from @c yields. */
	const char *noun;
	enum reader_streams streams;
	/** Reads raw bytes, before any decoding. */
	bool is_binary;
	/**
	 * Does the input have this format? @p in is UTF-8 without BOM (raw for
	 * binary formats): READER_HEAD_BYTES or all of it. Called in table
	 * order; the first match reads the input.
	 */
	bool (*sniff)(const struct envelope *in);
	/**
	 * Parse as much as possible. Faults become notes; only an input without
	 * any content is an error. If a reader of reports leaves the sink
	 * empty, the next reader is tried. Results may not point into @p in.
	 * NULL: the format is recognized, but no command takes it.
	 */
	MUST_CHECK struct error *(*read)(const struct envelope *in,
	                                 struct sink *sink);
};

#define READER(name, file) extern const struct reader name##_reader;
#include "parsers/parsers.def"
#undef READER

/** All readers in sniffing order; ends with NULL. */
extern const struct reader *const readers[];

/** Bytes that formats are detected in; shorter inputs as a whole. */
#define READER_HEAD_BYTES ((size_t)1 << 20)

/**
 * The first reader whose format matches and that yields any of @p yields; NULL
 * if there is none.
 */
const struct reader *reader_find(const struct envelope *in, bool is_binary,
                                 unsigned yields);

/**
 * As reader_find() for a whole input, by its decoded @p head:
 * READER_HEAD_BYTES, or all of it; binary formats first. Not for reports: an
 * input may hold several.
 */
const struct reader *reader_of_head(struct text head, unsigned yields);

/**
 * Read JSON from @p feed with a reader of STREAMS_DOCUMENTS.
 *
 * @param context  For the feed.
 */
MUST_CHECK struct error *reader_read_feed(const struct reader *reader,
                                          json_pull_read feed, void *context,
                                          struct sink *sink);

/**
 * Read a block of whole lines with a reader of lines.
 *
 * @param line  Number of its first line in the input, from 1.
 */
MUST_CHECK struct error *reader_read_lines(const struct reader *reader,
                                           struct text lines, size_t line,
                                           struct sink *sink);

/** Does @p in, the text of one report, have the format of @p reader? */
bool reader_sniff(const struct reader *reader, struct text in);

/** Parse @p in, a text of reports, with @p reader, without detection. */
MUST_CHECK struct error *reader_read(const struct reader *reader,
                                     struct text in, struct arena *arena,
                                     struct report **ret);

/**
 * Main entry: decode, open archives, detect the format and parse. Several
 * reports in one input are linked by `next`; their `origin` says which is
 * which. Unreadable parts between them become notes of the report before. If
 * nothing can be read, the error says what the input is, as far as its bytes
 * show: "a PNG image", "a source map", "empty".
 */
MUST_CHECK struct error *read_input(struct bytes in, struct sink *sink);

#endif
