// SPDX-License-Identifier: MIT
/**
 * Replaces personal data in a text by pseudonyms: home directories, containers,
 * e-mail addresses, network addresses, phone numbers, ids of devices, passwords
 * and tokens, as written in paths, URLs, JSON, and JSON in strings.
 *
 * A text without these patterns is returned unchanged. In REDACT_CODE, argument
 * labels such as `login(password: T)` are not secrets, and in versions four
 * numbers such as `1.2.3.4` are not an address.
 */
#ifndef APMTOOL_LIB_MODEL_REDACT_TEXT_H
#define APMTOOL_LIB_MODEL_REDACT_TEXT_H

#include "lib/base/arena.h"
#include "lib/model/redact/redactor.h"

/** @p in itself if there is nothing to hide; NULL for NULL. */
const char *redact_text(const struct redactor *redactor, const char *in,
                        enum redact_manner manner, struct arena *arena);

/**
 * Lines of prose, as redact_text(); the whole value of a line that begins with
 * a label of fields.def, `Parent Process: sh [7]`, is replaced.
 *
 * @param own  Names of the report's own process, which are kept; ends with
 *             NULL. May be NULL.
 */
const char *redact_lines(const struct redactor *redactor, const char *in,
                         const char *const *own, struct arena *arena);

/** The value of a header line, by its label. */
const char *redact_value(const struct redactor *redactor, const char *label,
                         const char *value, const char *const *own,
                         struct arena *arena);

/**
 * `name [pid]` with a pseudonym, unless the name is in @p own, or of a process
 * that every system has, `launchd`.
 */
const char *redact_process(const struct redactor *redactor, const char *in,
                           const char *const *own, struct arena *arena);

/**
 * A message for the user: in addition replaces paths of redactor_know() with
 * their rest, and quoted values of the input: `expected a number, found
 * "jane"`.
 */
const char *redact_message(const struct redactor *redactor, const char *in,
                           struct arena *arena);

/** Replace names in redactor->seen, which is sorted, in free text. */
const char *redact_seen(const struct redactor *redactor, const char *in,
                        struct arena *arena);

#endif
