// SPDX-License-Identifier: MIT
/** Classes of fields.def: how each string of the model is redacted. */
#ifndef APMTOOL_LIB_MODEL_REDACT_FIELDS_H
#define APMTOOL_LIB_MODEL_REDACT_FIELDS_H

#include "lib/base/arena.h"
#include "lib/model/redact/redactor.h"

#include <stdbool.h>
#include <stddef.h>

enum redact_class {
	REDACT_CLASS_FIXED,
	REDACT_CLASS_WHOSE,
	REDACT_CLASS_INPUT,
	REDACT_CLASS_PROCESS,
	REDACT_CLASS_THREAD,
	REDACT_CLASS_CODE,
	REDACT_CLASS_VERSION,
	REDACT_CLASS_TEXT,
	REDACT_CLASS_LINES,
	REDACT_CLASS_VALUE, ///< depends on its label
	REDACT_CLASS_MESSAGE,
};

/** The structs of fields.def. */
enum redact_struct {
	REDACT_report,
	REDACT_report_process_ref,
	REDACT_report_exception,
	REDACT_report_termination,
	REDACT_report_thrown,
	REDACT_report_thread,
	REDACT_report_thread_state,
	REDACT_report_register,
	REDACT_report_stack,
	REDACT_report_tree,
	REDACT_report_frame,
	REDACT_report_call,
	REDACT_report_image,
	REDACT_report_section,
	REDACT_report_field,
	REDACT_report_line,
	REDACT_report_wait,
	REDACT_notice,
	REDACT_jetsam,
	REDACT_jetsam_memory,
	REDACT_jetsam_process,
	REDACT_jetsam_kernel,
	REDACT_calltree_frame,
	REDACT_timeline_track,
};

/** Context of redacting values. */
struct redaction {
	const struct redactor *redactor;
	/** Names of the report's own process; ends with NULL. May be NULL. */
	const char *const *own;
	struct arena *arena; ///< owner of new strings
	/** Only replace entries of redactor->seen, in free text. */
	bool is_again;
};

/** @return @p in itself if there is nothing to hide; NULL for NULL. */
const char *redact_string(const struct redaction *redaction, const char *in,
                          enum redact_class class, const char *kind);

/** Redact the strings of @p count structs of one type. */
void redact_structs(const struct redaction *redaction, enum redact_struct which,
                    void *items, size_t count, size_t item_size);

/** For an array or a single struct: `redact_each(r, notice, notes, count)`. */
#define redact_each(redaction, which, items, count)               \
	redact_structs(redaction, REDACT_##which, items, (count), \
	               sizeof(struct which))

/** The class of a column of a table. */
enum redact_class redact_column(const char *key, const char **ret_kind);

#endif
