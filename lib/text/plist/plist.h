// SPDX-License-Identifier: MIT
/**
 * Property lists, XML and binary: the metadata of bundles, archives and dSYMs,
 * and of some crash records.
 *
 * A list is read into an arena and looked up by key. The input is untrusted:
 * depth, object count and work are limited. An object that occurs in several
 * places of a binary list is read once and shared, so a walk over all values
 * must limit its own steps.
 *
 *     if ((err = plist_parse(bytes, &arena, &root)))
 *             return error_prefix(err, "%s", path);
 *     build = plist_text(root, "CFBundleVersion");
 */
#ifndef APMTOOL_LIB_TEXT_PLIST_PLIST_H
#define APMTOOL_LIB_TEXT_PLIST_PLIST_H

#include "lib/base/arena.h"
#include "lib/base/cursor.h"
#include "lib/base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Max size of a list; an Info.plist has some kilobytes. */
#define PLIST_LIMIT_BYTES ((size_t)16 << 20)
#define PLIST_DEPTH_MAX   64
#define PLIST_OBJECTS_MAX 1000000

enum plist_kind {
	PLIST_NULL,
	PLIST_BOOL,
	PLIST_INTEGER,
	PLIST_REAL,
	PLIST_DATE, ///< seconds since 2001-01-01 00:00:00 UTC
	PLIST_STRING,
	PLIST_DATA,
	PLIST_UID, ///< of a keyed archive
	PLIST_ARRAY,
	PLIST_DICT,
};

struct plist {
	enum plist_kind kind;
	/**
	 * Strings as UTF-8, data as bytes. Both are NUL-terminated, the NUL not
	 * counted; a string may contain others.
	 */
	struct text text;
	/** PLIST_BOOL, PLIST_UID; PLIST_INTEGER's low 64 bits. */
	uint64_t number;
	bool negative; ///< of PLIST_INTEGER: number is in two's complement
	double real;   ///< PLIST_REAL, PLIST_DATE
	/** Of arrays and dictionaries, in file order. */
	const struct plist_item *items;
	size_t count;
};

struct plist_item {
	struct text key; ///< empty in an array
	const struct plist *value;
};

/**
 * Read a list of either format; the root may be of any kind. Everything is in
 * @p arena, without pointers into @p in.
 *
 * @return Errors name the place: `offset 0x…`, `line 3`.
 */
MUST_CHECK struct error *plist_parse(struct bytes in, struct arena *arena,
                                     const struct plist **ret);

/**
 * As plist_parse(), but reads a damaged or truncated XML list up to the fault.
 *
 * @param ret_fault  The fault, in @p arena; or NULL.
 */
MUST_CHECK struct error *plist_salvage(struct bytes in, struct arena *arena,
                                       const struct plist **ret,
                                       const char **ret_fault);

// The two formats; plist_parse() chooses.

/**
 * Text that begins with `<`.
 *
 * @param ret  Also set on an error, to the complete values before it, if any.
 */
MUST_CHECK struct error *plist_xml_parse(struct text in, struct arena *arena,
                                         const struct plist **ret);

/** Bytes that begin with `bplist0`. */
MUST_CHECK struct error *plist_binary_parse(struct bytes in,
                                            struct arena *arena,
                                            const struct plist **ret);

/**
 * The first value under @p key; NULL if @p dict is NULL, not a dictionary, or
 * lacks the key. So lookups can be nested without checks.
 */
const struct plist *plist_get(const struct plist *dict, const char *key);

/** The string under @p key, NUL-terminated; or NULL. */
const char *plist_text(const struct plist *dict, const char *key);

/** The version of expat, `2.5.0`, for `apmtool doctor`. */
const char *plist_library_version(void);

#endif
