// SPDX-License-Identifier: MIT
/**
 * What the files that read Rust names of RFC 2603 share.
 *
 * The mangling is in prefix order: a letter says what follows. A name is read
 * by descent, and printed as it is read; a part that is not shown is read with
 * @p silent set.
 *
 * A function that finds the name not to be of the grammar calls rust_fail().
 * The reader is then at its end, what is left to read fails too, and what was
 * printed is worthless: the caller looks at @p failed when all is done, and
 * again only in loops.
 */
#ifndef APMTOOL_LIB_SYMBOLS_DEMANGLE_RUST_READER_H
#define APMTOOL_LIB_SYMBOLS_DEMANGLE_RUST_READER_H

#include "lib/base/str.h"
#include "lib/base/text.h"

#include <stdbool.h>
#include <stdint.h>

/** Bytes of a printed name. */
#define RUST_PRINTED_MAX 65536u

struct rust_reader {
	const char *start; ///< what back references count from
	const char *at;
	const char *end;
	struct str *out;
	unsigned depth;
	unsigned steps;
	uint64_t lifetimes; ///< bound by the `for<…>` around this place
	bool silent;        ///< read, do not print
	bool failed;
};

/** Give the whole name up. */
void rust_fail(struct rust_reader *r);

/**
 * One level deeper: what succeeds is undone by `r->depth--`.
 *
 * @return false, and the reader has failed, where a limit is reached.
 */
bool rust_enter(struct rust_reader *r);

// The text.

/** The next character, NUL at the end. */
static inline char rust_peek(const struct rust_reader *r)
{
	return r->at < r->end ? *r->at : '\0';
}

/** Take the next character; at the end it is NUL, and the reader fails. */
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

/** A number behind its letter, plus one; 0 where the letter is not there. */
uint64_t rust_optional62(struct rust_reader *r, char letter);

// Printing.

static inline void rust_print(struct rust_reader *r, const char *word)
{
	if (!r->silent)
		str_add(r->out, word);
}

/** Read a name without its disambiguator, and print it. */
void rust_identifier(struct rust_reader *r);

/** Read again, by @p read, what is at an earlier place; the `B` is taken. */
void rust_back_reference(struct rust_reader *r,
                         void (*read)(struct rust_reader *r));

/** Hexadecimal digits as a number; false if they are more than 16. */
bool rust_hex_value(struct text digits, uint64_t *ret);

// rust_constants.c
/** Read and print the value of a const generic argument. */
void rust_constant(struct rust_reader *r);

#endif
