// SPDX-License-Identifier: MIT
/**
 * Pseudonyms: `user-3f2a90b1` for a name, the same one for the same name.
 *
 * They are made with a secret key (HMAC-SHA-256), so that a list of names does
 * not give away whose pseudonym it is. The key is random, one a run, unless the
 * user has one: with it, reports of different days can be compared.
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
 * Once it knows the inputs it is not changed: threads can share it.
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

/** A shorter key could be tried out. */
#define REDACT_KEY_BYTES_MIN 16

/** The kind of pseudonym that an input has. */
#define REDACT_INPUT "input"

/** What a text is, where that makes a difference. */
enum redact_manner {
	REDACT_PROSE,   ///< messages, lines
	REDACT_CODE,    ///< names of functions, files, images
	REDACT_VERSION, ///< as code, and `1.2.3.4` is no address
};

/** What is replaced wherever it is found, and the kind of its pseudonym. */
struct redact_name {
	const char *text, *kind;
};

struct redact_names {
	struct redact_name *items; ///< in byte order, once they are sorted
	size_t count, cap;
	struct arena *arena; ///< of their texts
};

/** Shorter names may be anything, and more are not kept. */
#define REDACT_NAME_BYTES_MIN 4
#define REDACT_NAMES_MAX      4096

struct redactor {
	uint8_t key[SHA256_SIZE];
	struct arena arena; ///< of the names
	/** What the command line names, which messages repeat. */
	struct redact_names names;
	/** Collects people and processes that are replaced; NULL: nothing does.
	 */
	struct redact_names *seen;
	/** A process that the user names, whose name stays; NULL: none. */
	const char *app;
};

void redact_names_sort(struct redact_names *names);

/** The longest name that @p in begins with; NULL: none. */
const struct redact_name *redact_names_find(const struct redact_names *names,
                                            struct text in);

/** With a random key; false where the system has none to give. */
bool redactor_init(struct redactor *redactor);

/** With the user's key, of at least REDACT_KEY_BYTES_MIN bytes. */
void redactor_init_key(struct redactor *redactor, struct text key);

/**
 * A path of the command line: replaced in messages (redact_message()), as are
 * others in its directory.
 */
void redactor_know(struct redactor *redactor, const char *name);
/** All are known. */
void redactor_sort(struct redactor *redactor);

void redactor_release(struct redactor *redactor);

/** Append the pseudonym of @p text; one is its own. */
void redactor_add(const struct redactor *redactor, struct str *out,
                  const char *kind, struct text text);

/** The pseudonym of @p in, `device-0123abcd`; NULL and "" stay. */
const char *redact_whole(const struct redactor *redactor, const char *in,
                         const char *kind, struct arena *arena);

/**
 * The pseudonym of an input; the number of the line in it is kept, `:12`, and
 * so is `-`.
 */
const char *redact_input(const struct redactor *redactor, const char *in,
                         struct arena *arena);

#endif
