// SPDX-License-Identifier: MIT
/**
 * Crash reports as `.ips` files: a header line and a JSON body, as Apple's
 * systems write them since iOS 15 and macOS 12 (formats.md 3.3).
 *
 * A report that came as such a file is written back as it was, but for the
 * frames that we named (rewrite.c). Any other is written again from the
 * model: facts (body.c), labelled text (sections.c), threads, images
 * and their frames (threads.c, frames.c), registers (registers.c).
 *
 * What a new file cannot say, for the format has no place for it:
 *
 * - a thread's number, where it is not its position in the report;
 * - which line of an old report a fact was on, labels without a corresponding
 *   key, notes of the reader, the `+` before an app's image;
 * - a register's name that its kind of processor does not have, and the order
 *   of registers;
 * - the whole path of a source file, the linkage name of a function, where a
 *   name came from;
 * - the name of an image that the list of images does not hold.
 */
#ifndef APMTOOL_FORMATTERS_REPORT_IPS_IPS_H
#define APMTOOL_FORMATTERS_REPORT_IPS_IPS_H

#include "lib/base/out.h"
#include "lib/model/report.h"
#include "lib/text/json/writer.h"

#include <stdbool.h>
#include <stddef.h>

/**
 * Does this entry of the images stand for no image? The offset of its frames
 * is the address itself. Text has the whole address space for it.
 */
bool ips_is_absolute(const struct report_image *image);

/** The index of such an entry; one past the last where there is none yet. */
size_t ips_absolute_image(const struct report *report);

/**
 * Write the elements of a frame into the open array: one a call, innermost
 * first, all of one address.
 *
 * @param absolute  ips_absolute_image().
 */
void ips_add_frame(struct json_writer *w, const struct report_frame *frame,
                   size_t absolute);

/** How many elements that takes, at least one. */
size_t ips_count_elements(const struct report_frame *frame);

/**
 * One of them.
 *
 * @param others  Members to carry along, see json_members().
 */
void ips_add_element(struct json_writer *w, const struct report_frame *frame,
                     size_t call, size_t absolute, struct text others);

/** Write the members of the body, which is open. */
void ips_add_facts(struct json_writer *w, const struct report *report);
void ips_add_end(struct json_writer *w, const struct report *report);
/** Is there a key for all fields of its head? For the first of a label. */
bool ips_holds_fields(const struct report *report);
void ips_add_sections(struct json_writer *w, const struct report *report);
/** Is there a key for all its text? */
bool ips_holds_text(const struct report *report);
void ips_add_threads(struct json_writer *w, const struct report *report);
void ips_add_images(struct json_writer *w, const struct report *report);

/** `threadState`; nothing for a kind of processor that has none. */
void ips_add_registers(struct json_writer *w, const struct report *report,
                       const struct report_thread *thread);

/** NULL for `???`, by which text says that it does not know. */
const char *ips_known(const char *value);

/** NULL where it is the process's name: readers put that in its place. */
const char *ips_bundle_id(const struct report *report);

/** As json_text(). */
void ips_add_text(struct json_writer *w, const char *key, struct text text);

/** Write the report's own text, its named frames in place of the old ones. */
void ips_rewrite(const struct report *report, struct out *out);

#endif
