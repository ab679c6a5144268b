// SPDX-License-Identifier: MIT
/**
 * Shared by the files that read Rust names of RFC 2603.
 *
 * The mangling is in prefix order: a letter announces its operands. Names are
 * read by recursive descent and printed on the way; hidden parts are read with
 * @p silent set.
 *
 * A function that meets invalid input calls rust_fail(). The reader is then at
 * its end, further reads fail, too, and the output is worthless. Callers check
 * @p failed at the end, and in loops.
 */
#ifndef APMTOOL_LIB_SYMBOLS_DEMANGLE_RUST_READER_H
#define APMTOOL_LIB_SYMBOLS_DEMANGLE_RUST_READER_H

#include "lib/base/str.h"
#include "lib/base/text.h"

#include <stdbool.h>
#include <stdint.h>

/** Max bytes of a demangled name. */
#define RUST_PRINTED_MAX 65536u

struct rust_reader {
	const char *start; ///< origin of back references
	const char *at;
	const char *end;
	struct str *out;
	unsigned depth;
	unsigned steps;
	uint64_t lifetimes; ///< bound by enclosing `for<…>`
	bool silent;        ///< read without printing
	bool failed;
};

/** Give up the whole name. */
void rust_fail(struct rust_reader *r);

/**
 * Go one level deeper; after success, undo it by `r->depth--`.
 *
 * @return false: over a limit; the reader has failed.
 */
bool rust_enter(struct rust_reader *r);

// The text.

/** The next character; NUL at the end. */
static inline char rust_peek(const struct rust_reader *r)
{
	return r->at < r->end ? *r->at : '\0';
}

/** Take the next character; at the end, the reader fails and returns NUL. */
static inline char rust_next(struct rust_reader *r)
{
	if (r->at < r->end)
		return *r->at++;
	r->failed = true;
	return '\0';
}

/** Take the next character if it is @p c. */
static inline bool rust_take(struct rust_reader *r, char c)
{
	if (r->at == r->end || *r->at != c)
		return false;
	r->at++;
	return true;
}

/** `_` is 0; else digits of base 62, plus one, to `_`. */
uint64_t rust_base62(struct rust_reader *r);

/** A number after its letter, plus one; 0 without the letter. */
uint64_t rust_optional62(struct rust_reader *r, char letter);

// Printing.

static inline void rust_print(struct rust_reader *r, const char *word)
{
	if (!r->silent)
		str_add(r->out, word);
}

/** Read an identifier without its disambiguator, and print it. */
void rust_identifier(struct rust_reader *r);

/** Read an earlier part again with @p read; the `B` is already taken. */
void rust_back_reference(struct rust_reader *r,
                         void (*read)(struct rust_reader *r));

/** Hexadecimal digits as a number; false: more than 16 digits. */
bool rust_hex_value(struct text digits, uint64_t *ret);

// rust_constants.c
/** Read and print the value of a const generic argument. */
void rust_constant(struct rust_reader *r);

#endif
