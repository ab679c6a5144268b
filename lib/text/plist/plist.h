// SPDX-License-Identifier: MIT
/**
 * Property lists, XML and binary: how bundles, archives and dSYMs describe
 * themselves, and how the system packs the context of a crash.
 *
 * A list is read whole into an arena and looked up by key. All input is
 * hostile: depth and object count are bounded, and so is the work. Objects of
 * a binary list may be used in several places; such an object is read once and
 * shared, so a walk over everything must bound its own steps.
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

/** Largest list that is read; an Info.plist has some kilobytes. */
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
	 * Strings as UTF-8, data as it is. Both end with a NUL that is not
	 * counted; a string may hold others.
	 */
	struct text text;
	/** PLIST_BOOL, PLIST_UID; PLIST_INTEGER's low 64 bits. */
	uint64_t number;
	bool negative; ///< of PLIST_INTEGER: number is its two's complement
	double real;   ///< PLIST_REAL, PLIST_DATE
	/** Of arrays and dictionaries, in the order of the file. */
	const struct plist_item *items;
	size_t count;
};

struct plist_item {
	struct text key; ///< empty in an array
	const struct plist *value;
};

/**
 * Read a list of either format; the root may be of any kind. Everything lives
 * in
 * @p arena and does not point into @p in.
 *
 * @return Errors name the place: `offset 0x…`, `line 3`.
 */
MUST_CHECK struct error *plist_parse(struct bytes in, struct arena *arena,
                                     const struct plist **ret);

/**
 * As plist_parse(), but of an XML list that is damaged or cut off, what is
 * before that is read.
 *
 * @param ret_fault  What ended it, in @p arena; NULL: it is whole.
 */
MUST_CHECK struct error *plist_salvage(struct bytes in, struct arena *arena,
                                       const struct plist **ret,
                                       const char **ret_fault);

// The two formats of a property list; plist_parse() chooses.

/**
 * Text that begins with `<`.
 *
 * @param ret  Where there is an error, too, what is complete before it, if
 * there is anything; a value of which only a part is there is not.
 */
MUST_CHECK struct error *plist_xml_parse(struct text in, struct arena *arena,
                                         const struct plist **ret);

/** Bytes that begin with `bplist0`. */
MUST_CHECK struct error *plist_binary_parse(struct bytes in,
                                            struct arena *arena,
                                            const struct plist **ret);

/**
 * The first value under @p key; NULL where @p dict is NULL, no dictionary, or
 * has no such key. So look-ups can be nested without checks in between.
 */
const struct plist *plist_get(const struct plist *dict, const char *key);

/** The string under @p key, NUL-terminated; NULL if there is none. */
const char *plist_text(const struct plist *dict, const char *key);

/** The version of expat, `2.5.0`, for `apmtool doctor`. */
const char *plist_library_version(void);

#endif
