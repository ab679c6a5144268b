// SPDX-License-Identifier: MIT
/**
 * The signature of a crash: equal for the same crash on any device, system and
 * build. Algorithm `apm/1`:
 *
 * - The stack (blame.h) is read innermost first, with inlined calls as frames
 *   of their own. Each frame has its normalized name (name.h) or, without a
 *   name, its place, `Demo+0x1a2c`.
 * - Rules (lib/config/lag_rules.h) remove frames: functions that raise an
 *   exception or handle a signal, with their callees; functions that begin a
 *   thread, with their callers; irrelevant ones. Equal neighbors are merged,
 *   and a cycle of calls begins with its alphabetically first name.
 * - The core is the innermost four of the remaining in-app frames; without any,
 *   the innermost four of all frames.
 * - An error of JavaScript has the class `JS | TypeError` and the frames of its
 *   own stack; its message, without values, is only part of the hash.
 * - The signature of level N is the class (class.h) and the innermost N frames
 *   of the core. Its hash is the first 64 bits of its SHA-256.
 *
 * The raw hash is computed from the class and places in images: equal before
 * and after symbolication, but only within one build. It matches unsymbolicated
 * reports with symbolicated ones.
 *
 * The version in `apm/1` changes whenever a hash can change.
 */
#ifndef APMTOOL_LIB_ANALYSIS_CRASH_SIGNATURE_SIGNATURE_H
#define APMTOOL_LIB_ANALYSIS_CRASH_SIGNATURE_SIGNATURE_H

#include "lib/base/arena.h"
#include "lib/base/str.h"
#include "lib/config/lag_rules.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SIGNATURE_LEVELS 4
/** Default number of frames of a signature. */
#define SIGNATURE_LEVEL 2

enum signature_algorithm {
	SIGNATURE_APM,
	/** Mozilla's: frames up to the first significant one, no class. */
	SIGNATURE_SOCORRO,
	/** Image and symbol of the innermost frames, unchanged. */
	SIGNATURE_INNERMOST2,
	SIGNATURE_INNERMOST4,
};

/** Choices of an `--algorithm` option, in the order of the enum. */
#define SIGNATURE_ALGORITHMS "apm|socorro|innermost2|innermost4"

/** `apm/1` and so on. */
const char *signature_algorithm_name(enum signature_algorithm algorithm);

enum signature_kind {
	SIGNATURE_APP,    ///< from in-app frames
	SIGNATURE_SYSTEM, ///< the report has no in-app frames
	/** From names of a symbol table: inlined calls are unknown. */
	SIGNATURE_PARTIAL,
	SIGNATURE_JETSAM, ///< no stack: a killed process
};

/** `app`, `system`, `partial`, `jetsam`. */
const char *signature_kind_name(enum signature_kind kind);

/** A call of the stack, and its role. */
struct signature_frame {
	const char *name; ///< as in the signature
	const char *image;
	const char *path; ///< of the source file; or NULL
	uint32_t line;    ///< 0: unknown
	uint64_t offset;  ///< in its image
	bool is_named;    ///< else the name is a place
	bool is_app;
	bool is_partial;
	bool is_kept;
	const char *why;             ///< a few words
	const struct lag_rule *rule; ///< deciding rule; or NULL
};

/** Start of the class of JavaScript errors. */
#define SIGNATURE_CLASS_JAVASCRIPT "JS | "

struct signature {
	enum signature_kind kind;
	const char *class_name; ///< NULL: not part of the signature
	const char *message;    ///< only part of the hash; or NULL
	const char **core;      ///< names, innermost first
	size_t core_count;
	uint64_t unnamed; ///< one bit each: the name is a place
	uint64_t partial; ///< one bit each: see is_partial
	uint64_t hashes[SIGNATURE_LEVELS];
	uint64_t raw_hash;
	bool has_raw_hash;
	/** The innermost frame of the core; or NULL. */
	const struct signature_frame *first;
	struct signature_frame *frames; ///< all, innermost first
	size_t frame_count;
	const char *blamed; ///< `exception`, `thread`, `samples`
};

/** Number of frames in the signature of a level, from 1. */
size_t signature_size(const struct signature *signature,
                      enum signature_algorithm algorithm, unsigned level);

/** Its kind at this size: partial names beyond it do not count. */
enum signature_kind signature_kind_at(const struct signature *signature,
                                      size_t size);
/** Is one of these names only a place? */
bool signature_has_places(const struct signature *signature, size_t size);

/** `EXC_BAD_ACCESS | -[Feed load] | Cart.total` */
void signature_add_text(const struct signature *signature, size_t size,
                        struct str *out);

/** A hash as 16 hex digits. */
const char *signature_hash_text(uint64_t hash, struct arena *arena);

/** Set the hashes of all levels. */
void signature_hash(struct signature *signature,
                    enum signature_algorithm algorithm);

#endif
