/**
 * Parsers: one artefact format each, bytes in, report out.
 *
 * A parser is an entry in a constant table. The format is detected from
 * the bytes, never from the file's name (formats.md chapter 1).
 *
 *     SCOPED(arena_release) struct arena arena = { 0 };
 *     if ((err = parser_read(bytes, &arena, &report)))
 *             return error_prefix(err, "%s", path);
 */
#ifndef APMTOOL_PARSERS_PARSER_H
#define APMTOOL_PARSERS_PARSER_H

#include "lib/base/arena.h"
#include "lib/base/cursor.h"
#include "lib/base/error.h"
#include "lib/model/report.h"
#include "parsers/envelope/envelope.h"

#include <stdbool.h>

struct parser {
	const char *name;    ///< becomes report.format: `crash-text`
	const char *summary; ///< for `apmtool doctor` and the manual
	/** sniff and parse get the bytes as they are, before any decoding. */
	bool is_binary;
	/**
	 * Does this look like ours? @p in is text without BOM, UTF-8 (but for
	 * binary formats). Called in the order of the table; the first that
	 * says yes gets the input.
	 */
	bool (*sniff)(const struct envelope *in);
	/**
	 * Read as much as there is. What can be stepped over becomes a note;
	 * only an input with nothing to report is an error. The report and all
	 * its strings live in @p arena and do not point into @p in. A format
	 * that holds several reports links them by `next`.
	 */
	MUST_CHECK struct error *(*parse)(const struct envelope *in,
	                                  struct arena *arena,
	                                  struct report **ret);
};

/** Does @p in, text of one report, look like that of @p parser? */
bool parser_sniff(const struct parser *parser, struct text in);

/** Read @p in with @p parser, whatever it looks like. */
MUST_CHECK struct error *parser_parse(const struct parser *parser,
                                      struct text in, struct arena *arena,
                                      struct report **ret);

#define PARSER(name, file) extern const struct parser name##_parser;
#include "parsers/parsers.def"
#undef PARSER

/** All parsers in sniffing order; ends with NULL. */
extern const struct parser *const parsers[];

/**
 * Decode (decode.h), detect the format and parse. Several reports
 * in one input are linked by `next`, and their `origin` says which each is.
 * What lies between them and cannot be read is a note of the report before
 * it. The error of an input without any report says what it is instead, as
 * far as its bytes show: "a PNG image", "a source map", "empty".
 */
MUST_CHECK struct error *parser_read(struct bytes in, struct arena *arena,
                                     struct report **ret);

/**
 * The same, of hang reports as well (parsers/lag/lag.h): their images and the
 * places in them that were sampled, as lag_read_reports() makes them.
 */
MUST_CHECK struct error *parser_read_with_samples(struct bytes in,
                                                  struct arena *arena,
                                                  struct report **ret);

#endif
