// SPDX-License-Identifier: MIT
/**
 * What of a text says who somebody is, replaced by pseudonyms: home
 * directories, containers, e-mail addresses, addresses of networks, phone
 * numbers, ids of devices, passwords and tokens, in the spellings of paths,
 * URLs, JSON, and JSON within strings.
 *
 * A text that holds no such pattern comes out as it was, bit for bit: in
 * REDACT_CODE, a name of a function has argument labels, `login(password: T)`,
 * and versions have four parts, `1.2.3.4`. Neither is a secret.
 */
#ifndef APMTOOL_LIB_MODEL_REDACT_TEXT_H
#define APMTOOL_LIB_MODEL_REDACT_TEXT_H

#include "lib/base/arena.h"
#include "lib/model/redact/redactor.h"

/** @p in itself where there is nothing to hide; NULL for NULL. */
const char *redact_text(const struct redactor *redactor, const char *in,
                        enum redact_manner manner, struct arena *arena);

/**
 * Lines as redact_text() has them in prose; a line that begins with a label of
 * fields.def, `Parent Process: sh [7]`, has its whole value replaced.
 *
 * @param own  Names of the report's own process, which stay; ends with NULL.
 * NULL: none.
 */
const char *redact_lines(const struct redactor *redactor, const char *in,
                         const char *const *own, struct arena *arena);

/** The value of a header line, by its label. */
const char *redact_value(const struct redactor *redactor, const char *label,
                         const char *value, const char *const *own,
                         struct arena *arena);

/**
 * `name [pid]`: the pseudonym of the name, unless it is one of @p own, or that
 * of a process that every system has, `launchd`.
 */
const char *redact_process(const struct redactor *redactor, const char *in,
                           const char *const *own, struct arena *arena);

/**
 * A message to the user: besides, what redactor_know() knows becomes a
 * pseudonym, with the path that goes on from there, as does what was found in
 * the input: `expected a number, found "jane"`.
 */
const char *redact_message(const struct redactor *redactor, const char *in,
                           struct arena *arena);

/** What redactor->seen has collected, and sorted, replaced in free text. */
const char *redact_seen(const struct redactor *redactor, const char *in,
                        struct arena *arena);

#endif
