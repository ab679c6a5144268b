// SPDX-License-Identifier: MIT
/**
 * Pseudonyms: `user-3f2a90b1` for a name, always the same for the same name.
 *
 * They are made with a secret key (HMAC-SHA-256), so that a list of names does
 * not reveal whose pseudonym it is. By default the key is random for each run;
 * with the user's key, reports of different days can be compared.
 *
 *     struct redactor redactor;
 *
 *     if (!redactor_init(&redactor))
 *             return error_new(ERROR_SHORTAGE, …);
 *     redactor_know(&redactor, "jane/report.ips");   // each input
 *     redactor_sort(&redactor);
 *     …
 *     text = redact_text(&redactor, text, REDACT_PROSE, arena);
 *
 * After redactor_sort() it does not change: threads can share it.
 */
#ifndef APMTOOL_LIB_MODEL_REDACT_REDACTOR_H
#define APMTOOL_LIB_MODEL_REDACT_REDACTOR_H

#include "lib/base/arena.h"
#include "lib/base/sha256.h"
#include "lib/base/str.h"
#include "lib/base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A shorter key could be found by trying all. */
#define REDACT_KEY_BYTES_MIN 16

/** Kind of pseudonym of an input. */
#define REDACT_INPUT "input"

/** Kinds of texts. */
enum redact_manner {
	REDACT_PROSE,   ///< messages, lines
	REDACT_CODE,    ///< names of functions, files, images
	REDACT_VERSION, ///< as REDACT_CODE, and `1.2.3.4` is not an address
};

/** A text to replace in all places, and its kind of pseudonym. */
struct redact_name {
	const char *text, *kind;
};

struct redact_names {
	/** sorted in byte order by redact_names_sort() */
	struct redact_name *items;
	size_t count, cap;
	struct arena *arena; ///< owner of the texts
};

/** Shorter names are too common; more are not kept. */
#define REDACT_NAME_BYTES_MIN 4
#define REDACT_NAMES_MAX      4096

struct redactor {
	uint8_t key[SHA256_SIZE];
	struct arena arena; ///< owner of the names
	/** Paths of the command line, which messages repeat. */
	struct redact_names names;
	/** Collects the people and processes that are replaced; or NULL. */
	struct redact_names *seen;
	/** A process whose name is kept at the user's request; or NULL. */
	const char *app;
};

void redact_names_sort(struct redact_names *names);

/** The longest name that @p in begins with; or NULL. */
const struct redact_name *redact_names_find(const struct redact_names *names,
                                            struct text in);

/** With a random key; false if the system has none. */
bool redactor_init(struct redactor *redactor);

/** With the user's key, of at least REDACT_KEY_BYTES_MIN bytes. */
void redactor_init_key(struct redactor *redactor, struct text key);

/**
 * Add a path of the command line: it is replaced in messages
 * (redact_message()), and so are others in its directory.
 */
void redactor_know(struct redactor *redactor, const char *name);
/** Call it after adding all paths. */
void redactor_sort(struct redactor *redactor);

void redactor_release(struct redactor *redactor);

/** Append the pseudonym of @p text; a pseudonym is kept. */
void redactor_add(const struct redactor *redactor, struct str *out,
                  const char *kind, struct text text);

/** The pseudonym of @p in, `device-0123abcd`; NULL and "" are kept. */
const char *redact_whole(const struct redactor *redactor, const char *in,
                         const char *kind, struct arena *arena);

/** The pseudonym of an input; keeps a line number, `:12`, and `-`. */
const char *redact_input(const struct redactor *redactor, const char *in,
                         struct arena *arena);

#endif
