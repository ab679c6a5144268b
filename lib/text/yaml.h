// SPDX-License-Identifier: MIT
/**
 * YAML files: settings and rules. The only user of libyaml.
 *
 * Only libyaml's events are used, with our own limits, since its document
 * loader takes 43 s for 100 kB of `[`. A file is one document of maps, lists
 * and scalars. Anchors, aliases, tags and directives are refused: settings need
 * none, and aliases make small files huge. Each node has its line and column,
 * for messages: `rules.yml:12:5: unknown field 'patern' (did you mean
 * 'pattern'?)`
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

/** Limits; more is an ERROR_LIMIT. */
#define YML_EVENTS       50000
#define YML_SCALAR_BYTES ((size_t)64 << 10)

enum yml_type {
	YML_EMPTY, ///< empty, `~` or `null`
	YML_TEXT,  ///< any other scalar
	YML_LIST,
	YML_MAP,
};

/** A node; it and its children are in the arena. */
struct yml {
	enum yml_type type;
	const char *file;      ///< the name given to yml_parse()
	unsigned line;         ///< from 1
	unsigned column;       ///< from 1, in characters
	bool quoted;           ///< a quoted scalar is never a number or a bool
	bool is_private;       ///< messages do not quote the file
	bool is_built_in;      ///< from yml_of_rows(): known to be valid
	const char *text;      ///< of a scalar, without NUL; NULL for others
	const struct yml *key; ///< name of a map's member, a YML_TEXT
	const struct yml *first; ///< of a list or map
	const struct yml *next;  ///< in the same list or map
};

/**
 * Read a file.
 *
 * @param name  For messages; copied.
 * @param ret   Not NULL on success: an empty file is a YML_EMPTY.
 */
MUST_CHECK struct error *yml_parse(struct text in, const char *name,
                                   struct arena *arena, const struct yml **ret);

/**
 * As yml_parse(), for a file that was only found: it may contain anything, so
 * messages, which end up in logs, give the place without quoting.
 */
MUST_CHECK struct error *yml_parse_private(struct text in, const char *name,
                                           struct arena *arena,
                                           const struct yml **ret);

/** A field of a built-in file (cmake/embed.cmake). */
struct yml_row {
	const char *name;
	const char *value;
	unsigned line;
	bool is_first; ///< first field of a list item
};

/** The list of maps in a built-in file, without parsing it. */
const struct yml *yml_of_rows(const struct yml_row *rows, size_t count,
                              const char *name, struct arena *arena);

/** A new ERROR_CONFIG: `FILE:LINE:COLUMN: …`. Does not quote the file. */
struct error *yml_error(const struct yml *node, const char *format, ...)
        PRINTF_LIKE(2, 3);
/**
 * As yml_error(), with `, found '…'` at the end, unless the file is private.
 */
struct error *yml_error_found(const struct yml *node, const char *format, ...)
        PRINTF_LIKE(2, 3);

/**
 * Check that @p node is a map or empty, and that its fields are in @p names (a
 * NULL-terminated list).
 */
MUST_CHECK struct error *yml_known_fields(const struct yml *node,
                                          const char *const *names);

/** The value of the field @p name; or NULL. */
const struct yml *yml_field(const struct yml *map, const char *name);

/** Check that @p node is a list or empty. */
MUST_CHECK struct error *yml_list(const struct yml *node);
/** Read a text of at least one byte. */
MUST_CHECK struct error *yml_text(const struct yml *node, const char **ret);
/**
 * Read `true` or `false`; other spellings of YAML (`yes`, `on`) are refused.
 */
MUST_CHECK struct error *yml_bool(const struct yml *node, bool *ret);
/** Read a decimal number from @p min to @p max. */
MUST_CHECK struct error *yml_number(const struct yml *node, uint64_t min,
                                    uint64_t max, uint64_t *ret);
/** Read one of @p names (a NULL-terminated list) as its index. */
MUST_CHECK struct error *yml_choice(const struct yml *node,
                                    const char *const *names, unsigned *ret);

/** The version of libyaml, `0.2.5`, for `apmtool doctor`. */
const char *yml_library_version(void);

#endif
