// SPDX-License-Identifier: MIT
/**
 * The patterns of text.h, each in its own file, matched at a position in a
 * text.
 *
 * Each function returns the number of bytes to replace, and appends the
 * replacement to `out`; it returns 0, and appends nothing, without a match.
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
	size_t brackets; ///< number of open brackets at `at`, in its line
	struct str *out;
};

/** Meaning of a word before `:` or `=`, or of a label. */
enum redact_key {
	REDACT_KEY_NONE,
	REDACT_KEY_QUERY,  ///< secret only as a parameter of a URL
	REDACT_KEY_WORD,   ///< an everyday word: its value is not a sentence
	REDACT_KEY_SECRET, ///< secret as the end of a key: `accessToken=…`
	REDACT_KEY_SECRET_ALL, ///< secret as a whole key
	/** HTTP header: its value extends to the end of the line */
	REDACT_KEY_HEADER,
	REDACT_KEY_ID,      ///< id of a person or object, in any place
	REDACT_KEY_LINE,    ///< an id, only as the label of a line
	REDACT_KEY_PROCESS, ///< label of a value `name [pid]`
	REDACT_KEY_VERSION, ///< label of a version
};

/**
 * The meaning of a key. @p ret_kind is the kind of pseudonym, unchanged for an
 * unknown key.
 */
enum redact_key redact_key_find(struct text key, const char **ret_kind);

/** A name after `/Users/`, at the separator before `Users`; or a container. */
size_t redact_home(const struct redact_place *place);
/** At `@` or `%40`: the text before it is already in `out`. */
size_t redact_mail(const struct redact_place *place);
/** `//name:password@` of a URL, at its `//`; or `\\\\host\\` of a share. */
size_t redact_authority(const struct redact_place *place);
/** `name.local`, at the start of a word. */
size_t redact_local_host(const struct redact_place *place);
/** `~name/` */
size_t redact_tilde(const struct redact_place *place);
/** A key and its value, at the key. */
size_t redact_pair(const struct redact_place *place);
/** A token by its appearance, at the start of a word. */
size_t redact_secret(const struct redact_place *place);
/** At `-`: a login of `curl -u`, or a private key. */
size_t redact_option(const struct redact_place *place);
/**
 * A network address, a phone number, or the id of a device, at the start of a
 * word; a phone number also at `(`.
 */
size_t redact_number(const struct redact_place *place);

/** Max bytes of a word to examine, so that a text is not read repeatedly. */
#define REDACT_PROBE_BYTES 512

/** Size of the prefix of such characters. */
size_t redact_span(struct text in, bool (*is_part)(char c));
bool redact_is_token(char c);
bool redact_is_alnum(char c);
bool redact_is_hex(char c);
bool redact_is_lower(char c);

#endif
