// SPDX-License-Identifier: MIT
/**
 * Reading YAML files: settings and rules. libyaml behind a door that closes
 * its traps.
 *
 * Only libyaml's events are used, with limits of our own, for its document
 * loader takes 43 s for 100 kB of `[`. A file holds one document of maps,
 * lists and scalars. Anchors, aliases, tags and directives are refused: none
 * is needed for settings, and aliases make small files huge. Every node knows
 * its line and column, so that each mistake can be reported with its place:
 * `rules.yml:12:5: unknown field 'patern' (did you mean 'pattern'?)`
 *
 *     err = yml_parse(text, "rules.yml", &arena, &root);
 *     if (err || (err = yml_known_fields(root, fields)))
 *             return err;
 *     for (const struct yml *item = root->first; item; item = item->next)
 *
 * The prefix `yaml_` belongs to libyaml.
 */
#ifndef APMTOOL_LIB_TEXT_YAML_H
#define APMTOOL_LIB_TEXT_YAML_H

#include "lib/base/arena.h"
#include "lib/base/error.h"
#include "lib/base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Limits; what exceeds one is an ERROR_LIMIT. */
#define YML_EVENTS       50000
#define YML_SCALAR_BYTES ((size_t)64 << 10)

enum yml_type {
	YML_EMPTY, ///< nothing at all, `~` or `null`
	YML_TEXT,  ///< any other scalar
	YML_LIST,
	YML_MAP,
};

/** A node; it and all below it live in the arena. */
struct yml {
	enum yml_type type;
	const char *file; ///< as yml_parse() was given
	unsigned line;    ///< from 1
	unsigned column;  ///< from 1, in characters
	bool quoted;      ///< a scalar in quotes is never a number or a bool
	bool is_private;  ///< messages quote nothing of the file
	bool is_built_in; ///< of yml_of_rows(): known to be right
	const char *text; ///< of a scalar, without NUL; NULL: not a scalar
	const struct yml *key;   ///< of a map's member: its name, a YML_TEXT
	const struct yml *first; ///< of a list or map
	const struct yml *next;  ///< in the same list or map
};

/**
 * Read a file.
 *
 * @param name  How messages call it; copied.
 * @param ret   Never NULL after success: an empty file is a YML_EMPTY.
 */
MUST_CHECK struct error *yml_parse(struct text in, const char *name,
                                   struct arena *arena, const struct yml **ret);

/**
 * As yml_parse(), of a file that was only found: what is in it may be anything,
 * and messages, which end up in logs, give the place and quote nothing.
 */
MUST_CHECK struct error *yml_parse_private(struct text in, const char *name,
                                           struct arena *arena,
                                           const struct yml **ret);

/** A field of a file that is built into the program (cmake/embed.cmake). */
struct yml_row {
	const char *name;
	const char *value;
	unsigned line;
	bool is_first; ///< of an item of the list
};

/** The list of maps that such a file holds, without reading it again. */
const struct yml *yml_of_rows(const struct yml_row *rows, size_t count,
                              const char *name, struct arena *arena);

/** A new ERROR_CONFIG: `FILE:LINE:COLUMN: …`. Nothing of the file is in it. */
struct error *yml_error(const struct yml *node, const char *format, ...)
        PRINTF_LIKE(2, 3);
/** As yml_error(); `, found '…'` follows, unless the file is private. */
struct error *yml_error_found(const struct yml *node, const char *format, ...)
        PRINTF_LIKE(2, 3);

/**
 * Check that @p node is a map or empty, and that each of its fields is one of
 * @p names (a NULL-terminated list).
 */
MUST_CHECK struct error *yml_known_fields(const struct yml *node,
                                          const char *const *names);

/** The value of the field @p name; NULL where @p map has none. */
const struct yml *yml_field(const struct yml *map, const char *name);

/** Check that @p node is a list or empty. */
MUST_CHECK struct error *yml_list(const struct yml *node);
/** Text of at least one byte. */
MUST_CHECK struct error *yml_text(const struct yml *node, const char **ret);
/** `true` or `false`: what else YAML has for them (`yes`, `on`) is refused. */
MUST_CHECK struct error *yml_bool(const struct yml *node, bool *ret);
/** A decimal number from @p least to @p most. */
MUST_CHECK struct error *yml_number(const struct yml *node, uint64_t least,
                                    uint64_t most, uint64_t *ret);
/** One of @p names (a NULL-terminated list): its index. */
MUST_CHECK struct error *yml_choice(const struct yml *node,
                                    const char *const *names, unsigned *ret);

/** The version of libyaml, `0.2.5`, for `apmtool doctor`. */
const char *yml_library_version(void);

#endif
