// SPDX-License-Identifier: MIT
/**
 * The signature of a crash: what makes two reports the same, whatever device,
 * system and build they come from. The algorithm `apm/1`:
 *
 * - The blamed stack (blame.h), innermost first, inlined calls as frames of
 *   their own, each by its name without what changes (name.h); without a name
 *   by its place, `Demo+0x1a2c`.
 * - Rules (lib/config/lag_rules.h) take frames out: what raises an exception or
 *   handles a signal, with all it calls; where a thread begins, with all that
 *   called it; what is irrelevant. Equal neighbours are one frame, and a cycle
 *   of calls begins with the first of its names by the alphabet.
 * - The innermost four of the frames that are left and in-app are the core;
 *   without any, the innermost four of all.
 * - An error of JavaScript has the class `JS | TypeError` and the frames of its
 *   own stack; its message, without values, is part of the hash alone.
 * - The signature of level N is the class (class.h) and the innermost N frames
 *   of the core. Its hash is the first 64 bits of a SHA-256 of that.
 *
 * The raw hash is made of the class and places in images alone: the same
 * before and after symbolication, but of one build only. It finds the
 * signature of a report that was not symbolicated in one that was.
 *
 * The version in `apm/1` changes whenever a hash can.
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
/** Frames of a signature, unless the user says otherwise. */
#define SIGNATURE_LEVEL 2

enum signature_algorithm {
	SIGNATURE_APM,
	/** Mozilla's: frames up to the first that says enough, no class. */
	SIGNATURE_SOCORRO,
	/** Image and symbol of the innermost frames, as they are. */
	SIGNATURE_INNERMOST2,
	SIGNATURE_INNERMOST4,
};

/** Choices of an `--algorithm` option, in the order of the enum. */
#define SIGNATURE_ALGORITHMS "apm|socorro|innermost2|innermost4"

/** `apm/1` and so on. */
const char *signature_algorithm_name(enum signature_algorithm algorithm);

enum signature_kind {
	SIGNATURE_APP,    ///< made of frames that are in-app
	SIGNATURE_SYSTEM, ///< the report has none of them
	/** Made of names of a symbol table: inlined calls are not known. */
	SIGNATURE_PARTIAL,
	SIGNATURE_JETSAM, ///< no stack: a process that was killed
};

/** `app`, `system`, `partial`, `jetsam`. */
const char *signature_kind_name(enum signature_kind kind);

/** A call of the blamed stack, and what became of it. */
struct signature_frame {
	const char *name; ///< as in the signature
	const char *image;
	const char *path; ///< of the source file, as far as known; NULL
	uint32_t line;    ///< 0: not known
	uint64_t offset;  ///< in its image
	bool is_named;    ///< else the name is a place
	bool is_app;
	bool is_partial;
	bool is_kept;
	const char *why;             ///< in a few words
	const struct lag_rule *rule; ///< that decided; NULL: none
};

/** How the class of JavaScript errors begins. */
#define SIGNATURE_CLASS_JAVASCRIPT "JS | "

struct signature {
	enum signature_kind kind;
	const char *class_name; ///< NULL: not part of the signature
	const char *message;    ///< part of the hash alone; NULL: none
	const char **core;      ///< names, innermost first
	size_t core_count;
	uint64_t unnamed; ///< a bit each: the name is a place
	uint64_t partial; ///< a bit each, the same way
	uint64_t hashes[SIGNATURE_LEVELS];
	uint64_t raw_hash;
	bool has_raw_hash;
	/** The innermost frame of the core; NULL: there is none. */
	const struct signature_frame *first;
	struct signature_frame *frames; ///< all, innermost first
	size_t frame_count;
	const char *blamed; ///< `exception`, `thread`, `samples`
};

/** Frames that the signature has at a level, from 1 on. */
size_t signature_size(const struct signature *signature,
                      enum signature_algorithm algorithm, unsigned level);

/** Its kind at this size: what is partial beyond it does not count. */
enum signature_kind signature_kind_at(const struct signature *signature,
                                      size_t size);
/** Is one of these names only a place? */
bool signature_has_places(const struct signature *signature, size_t size);

/** `EXC_BAD_ACCESS | -[Feed load] | Cart.total` */
void signature_add_text(const struct signature *signature, size_t size,
                        struct str *out);

/** As hashes are printed: 16 hex digits. */
const char *signature_hash_text(uint64_t hash, struct arena *arena);

/** Fill the hashes of all levels. */
void signature_hash(struct signature *signature,
                    enum signature_algorithm algorithm);

#endif
