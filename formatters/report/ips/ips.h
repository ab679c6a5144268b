// SPDX-License-Identifier: MIT
/**
 * Crash reports as `.ips` files: a header line and a JSON body, as Apple's
 * systems write them since iOS 15 and macOS 12 (apmtool-formats(5)).
 *
 * A report that was such a file is copied, with its frames symbolicated
 * (rewrite.c). Others are written from the model: facts (body.c), labelled text
 * (sections.c), threads, images and their frames (threads.c, frames.c),
 * registers (registers.c).
 *
 * The format has no place for:
 * - a thread's number, unless it is the position in the report;
 * - the line of an old report that a fact was on, labels without a
 *   corresponding key, notes of the reader, the `+` before an app's image;
 * - registers that the processor does not have, and the order of registers;
 * - the full path of a source file, the linkage name of a function, the source
 *   of a name;
 * - the name of an image that is not in the list of images.
 */
#ifndef APMTOOL_FORMATTERS_REPORT_IPS_IPS_H
#define APMTOOL_FORMATTERS_REPORT_IPS_IPS_H

#include "lib/base/out.h"
#include "lib/model/report.h"
#include "lib/text/json/writer.h"

#include <stdbool.h>
#include <stddef.h>

/**
 * Is it an entry for "no image"? The offset of its frames is the address
 * itself; in text it covers the whole address space.
 */
bool ips_is_absolute(const struct report_image *image);

/** The index of such an entry; the number of images if there is none. */
size_t ips_absolute_image(const struct report *report);

/**
 * Write the elements of a frame into the open array: one per call, innermost
 * first, all with one address.
 *
 * @param absolute  ips_absolute_image().
 */
void ips_add_frame(struct json_writer *w, const struct report_frame *frame,
                   size_t absolute);

/** Number of elements of a frame, at least one. */
size_t ips_count_elements(const struct report_frame *frame);

/**
 * Write one element.
 *
 * @param others  Other members to copy, see json_members().
 */
void ips_add_element(struct json_writer *w, const struct report_frame *frame,
                     size_t call, size_t absolute, struct text others);

/** Write members of the body, which is open. */
void ips_add_facts(struct json_writer *w, const struct report *report);
void ips_add_end(struct json_writer *w, const struct report *report);
/** Does each field of its head have a key? For the first of a label. */
bool ips_holds_fields(const struct report *report);
void ips_add_sections(struct json_writer *w, const struct report *report);
/** Does all its text have a key? */
bool ips_holds_text(const struct report *report);
void ips_add_threads(struct json_writer *w, const struct report *report);
void ips_add_images(struct json_writer *w, const struct report *report);

/** `threadState`; nothing for processors without one. */
void ips_add_registers(struct json_writer *w, const struct report *report,
                       const struct report_thread *thread);

/** NULL for `???`, which stands for an unknown value in text. */
const char *ips_known(const char *value);

/** NULL if it is the process's name, which readers use as a fallback. */
const char *ips_bundle_id(const struct report *report);

/** As json_text(). */
void ips_add_text(struct json_writer *w, const char *key, struct text text);

/** Write the report's own text with its frames symbolicated. */
void ips_rewrite(const struct report *report, struct out *out);

#endif
