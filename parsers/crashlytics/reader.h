// SPDX-License-Identifier: MIT
/**
 * What the files of this parser share: the report as far as it is read, and
 * what the next frames belong to. The format is described in
 * apmtool-formats(5): it is the text that the console of Crashlytics exports,
 * and that people copy from it.
 */
#ifndef APMTOOL_PARSERS_CRASHLYTICS_READER_H
#define APMTOOL_PARSERS_CRASHLYTICS_READER_H

#include "lib/base/map.h"
#include "lib/base/str.h"
#include "parsers/text/line_reader.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** What the frames below a heading are. */
enum crashlytics_list {
	CRASHLYTICS_THREAD,
	CRASHLYTICS_CRASHED,   ///< `Crashed: NAME`
	CRASHLYTICS_EXCEPTION, ///< `Fatal Exception: NAME`
};

struct crashlytics_reader {
	struct line_reader text;
	bool seen_frames;
	/** The frames that are being read; NULL: there was no heading. */
	struct report_stack *stack;
	enum crashlytics_list list; ///< what the next frames are
	bool has_heading;           ///< and they have none of a thread yet
	/** The last line of text: the name of the thread, if frames follow. */
	const char *title;
	size_t title_line;     ///< its index in report.lines
	uint64_t next_number;  ///< of a thread that has none of its own
	struct str reason;     ///< lines below `Fatal Exception:`
	bool in_reason;        ///< such a line may follow
	const char *said_name; ///< what followed the name on its line
	size_t too_deep;       ///< frames over the limit
	size_t bad_uuids;      ///< frames whose UUID has other digits
	bool has_addresses;    ///< a number is no offset in an image
	struct map images;     ///< of report.images by name and UUID
	size_t many_images;    ///< frames whose image is over the limit
};

/** `# Label: value`: a fact; false: it is no such line. */
bool crashlytics_fact(struct crashlytics_reader *reader, struct text line);

/** Is it the title, `# Crashlytics - Stack trace`? */
bool crashlytics_is_title(struct text line);

/**
 * `Crashed: NAME`, `Fatal Exception: NAME`, with `#0. ` before it or without.
 *
 * @return False: it is no heading.
 */
bool crashlytics_heading(struct crashlytics_reader *reader, struct text line);
bool crashlytics_is_heading(struct text line);

/** `EXC_BAD_ACCESS KERN_INVALID_ADDRESS 0x10`, on a line of its own. */
bool crashlytics_exception(struct crashlytics_reader *reader, struct text line);

/** The frames that follow begin another list. */
void crashlytics_begin_list(struct crashlytics_reader *reader);

/** All lines were read: the exception and the frames of its script. */
void crashlytics_finish_exception(struct crashlytics_reader *reader);

/** The image of a frame, whose UUID may be zero: the text does not say it. */
void crashlytics_place(struct crashlytics_reader *reader,
                       struct report_frame *frame, const struct uuid *uuid);

/**
 * All frames were read. One UUID of a name is that of all its frames, and a
 * name that one frame has is that of all frames at its place.
 */
void crashlytics_finish_places(struct crashlytics_reader *reader);

#endif
