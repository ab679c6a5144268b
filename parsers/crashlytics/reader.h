// SPDX-License-Identifier: MIT
/**
 * State shared by the files of this parser: the report so far, and the owner of
 * the next frames. The format is the text that Crashlytics' console exports,
 * and that people copy from its page (apmtool-formats(5)).
 */
#ifndef APMTOOL_PARSERS_CRASHLYTICS_READER_H
#define APMTOOL_PARSERS_CRASHLYTICS_READER_H

#include "lib/base/map.h"
#include "lib/base/str.h"
#include "parsers/text/line_reader.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Kinds of frame lists, by their heading. */
enum crashlytics_list {
	CRASHLYTICS_THREAD,
	CRASHLYTICS_CRASHED,   ///< `Crashed: NAME`
	CRASHLYTICS_EXCEPTION, ///< `Fatal Exception: NAME`
};

struct crashlytics_reader {
	struct line_reader text;
	bool seen_frames;
	/** The list of the next frames; NULL before the first heading. */
	struct report_stack *stack;
	enum crashlytics_list list; ///< kind of the next frames
	bool has_heading;           ///< the heading has no frames yet
	/** The last line of text: the thread's name, if frames follow. */
	const char *title;
	size_t title_line;     ///< its index in report.lines
	uint64_t next_number;  ///< for threads without a number
	struct str reason;     ///< lines below `Fatal Exception:`
	bool in_reason;        ///< the next line may belong to the reason
	const char *said_name; ///< text after the name on its line
	size_t too_deep;       ///< frames over the limit
	size_t bad_uuids; ///< frames whose UUID has an unusual number of digits
	bool has_addresses; ///< numbers are addresses, not offsets in an image
	struct map images;  ///< of report.images by name and UUID
	size_t many_images; ///< frames whose image is over the limit
};

/** Read a fact, `# Label: value`; false for other lines. */
bool crashlytics_fact(struct crashlytics_reader *reader, struct text line);

/** Is it the title, `# Crashlytics - Stack trace`? */
bool crashlytics_is_title(struct text line);

/**
 * Read a heading, `Crashed: NAME` or `Fatal Exception: NAME`, with or without
 * `#0. ` before it; false for other lines.
 */
bool crashlytics_heading(struct crashlytics_reader *reader, struct text line);
bool crashlytics_is_heading(struct text line);

/** `EXC_BAD_ACCESS KERN_INVALID_ADDRESS 0x10`, on a line of its own. */
bool crashlytics_exception(struct crashlytics_reader *reader, struct text line);

/** Begin another list: the next frames belong to it. */
void crashlytics_begin_list(struct crashlytics_reader *reader);

/** After the last line: add the exception and its JavaScript frames. */
void crashlytics_finish_exception(struct crashlytics_reader *reader);

/** Set the image of a frame. A zero UUID means that the text has none. */
void crashlytics_place(struct crashlytics_reader *reader,
                       struct report_frame *frame, const struct uuid *uuid);

/**
 * After the last frame: if an image has one UUID in the text, all its frames
 * get it; if one frame of an address has a name, all frames there get it.
 */
void crashlytics_finish_places(struct crashlytics_reader *reader);

#endif
