// SPDX-License-Identifier: MIT
/**
 * The patterns of text.h, each in a file: what of a text is to be replaced at a
 * place in it.
 *
 * Each returns how many bytes of the text it takes, with what stands for them
 * appended to `out`; 0, and nothing is appended: the pattern is not there.
 */
#ifndef APMTOOL_LIB_MODEL_REDACT_PLACE_H
#define APMTOOL_LIB_MODEL_REDACT_PLACE_H

#include "lib/base/str.h"
#include "lib/base/text.h"
#include "lib/model/redact/redactor.h"

#include <stdbool.h>
#include <stddef.h>

struct redact_place {
	const struct redactor *redactor;
	struct text all;
	size_t at;
	enum redact_manner manner;
	size_t brackets; ///< open at `at`, since the begin of its line
	struct str *out;
};

/** What is known of a word before `:` or `=`, or of a label. */
enum redact_key {
	REDACT_KEY_NONE,
	REDACT_KEY_QUERY,      ///< of a secret, as a parameter of a URL alone
	REDACT_KEY_WORD,       ///< an everyday word: no sentence is its value
	REDACT_KEY_SECRET,     ///< the end of a key: `accessToken=…`
	REDACT_KEY_SECRET_ALL, ///< all of a key
	REDACT_KEY_HEADER,     ///< of HTTP: what follows goes to the line's end
	REDACT_KEY_ID,         ///< of somebody or something, wherever it is
	REDACT_KEY_LINE,       ///< the same, as the label of a line only
	REDACT_KEY_PROCESS,    ///< a label: the value is `name [pid]`
	REDACT_KEY_VERSION,    ///< a label: the value is a version
};

/**
 * What is known of a key; @p ret_kind is of the pseudonym, and untouched where
 * nothing is known.
 */
enum redact_key redact_key_find(struct text key, const char **ret_kind);

/** A name after `/Users/`, at the separator before `Users`; a container. */
size_t redact_home(const struct redact_place *place);
/** At a `@` or `%40`: what is before it is in `out` already. */
size_t redact_mail(const struct redact_place *place);
/** `//name:password@` of a URL, at its `//`; `\\\\host\\` of a share. */
size_t redact_authority(const struct redact_place *place);
/** `name.local`, at the begin of a word. */
size_t redact_local_host(const struct redact_place *place);
/** `~name/` */
size_t redact_tilde(const struct redact_place *place);
/** A key and its value, at the key. */
size_t redact_pair(const struct redact_place *place);
/** A token that looks like one, at the begin of a word. */
size_t redact_secret(const struct redact_place *place);
/** At a `-`: a login of `curl -u`, a private key. */
size_t redact_option(const struct redact_place *place);
/** An address of a network, a phone number, the id of a device: the same;
 * at a `(`, a phone number. */
size_t redact_number(const struct redact_place *place);

/** So much of a word shows what it is: no text is read again and again. */
#define REDACT_PROBE_BYTES 512

/** How much of the front consists of such characters. */
size_t redact_span(struct text in, bool (*is_part)(char c));
bool redact_is_token(char c);
bool redact_is_alnum(char c);
bool redact_is_hex(char c);
bool redact_is_lower(char c);

#endif
