// SPDX-License-Identifier: MIT
#include "lib/text/regex.h"

#include "lib/base/limit.h"
#include "lib/base/mem.h"
#include "lib/base/str.h"
#include "lib/base/utf8.h"
#include "lib/text/regex_starts.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

struct regex {
	struct str text; ///< a glob, or a pattern not compiled yet
	bool is_glob;
	struct regex_starts starts; ///< of a pattern
	_Atomic(pcre2_code *) code; ///< NULL: a glob, or not compiled yet
};

/**
 * pcre2's limits for one start in the subject. They do not bound a match, since
 * a subject has many starts; counting steps does.
 */
#define MATCH_LIMIT    100000
#define DEPTH_LIMIT    1000
#define HEAP_LIMIT_KIB (8 << 10)

/** Bytes of the subject that one step may examine. */
#define BYTES_PER_STEP 32

/** Cost of pcre2's setup, in steps. */
#define MATCH_STEPS 8

/** Cost of a match, counted by a callout. */
struct meter {
	size_t left;
	size_t subject_size;
};

/** Room for pcre2's longest message (120 according to its manual). */
#define MESSAGE_SIZE 256

static struct error *too_long(const char *what, size_t max)
{
	SCOPED(str_release) struct str size = { 0 };

	limit_add_value(&size, LIMIT_PATTERN, max);
	return limit_error(LIMIT_PATTERN, "%s of more than %s", what,
	                   str_cstr(&size));
}

/**
 * pcre2 rejects patterns of more than about 7,000 items as too large, whatever
 * the limit.
 */
static struct error *compile(struct text pattern, pcre2_code **ret)
{
	// Callouts before every item: there the steps are counted.
	const uint32_t options = PCRE2_UTF | PCRE2_MATCH_INVALID_UTF |
	                         PCRE2_NEVER_BACKSLASH_C | PCRE2_AUTO_CALLOUT;
	PCRE2_UCHAR message[MESSAGE_SIZE];
	PCRE2_SIZE offset;
	int fault;

	*ret = pcre2_compile((PCRE2_SPTR)pattern.data, pattern.size, options,
	                     &fault, &offset, NULL);
	if (*ret)
		return NULL;
	if (fault == PCRE2_ERROR_HEAP_FAILED)
		mem_fail();
	pcre2_get_error_message(fault, message, sizeof(message));
	return error_new(ERROR_CONFIG, "pattern, offset %zu: %s",
	                 (size_t)offset, (const char *)message);
}

struct regex *regex_compile_later(struct text pattern)
{
	struct regex *regex = mem_zalloc(1, sizeof(*regex));

	str_add_text(&regex->text, pattern);
	regex_starts_find(pattern, &regex->starts);
	return regex;
}

struct error *regex_compile(struct text pattern, struct regex **ret)
{
	pcre2_code *code;
	struct error *err;

	if (pattern.size > limit_get(LIMIT_PATTERN))
		return too_long("pattern", limit_get(LIMIT_PATTERN));
	if ((err = compile(pattern, &code)))
		return err;
	*ret = regex_compile_later(pattern);
	atomic_init(&(*ret)->code, code);
	return NULL;
}

/** The compiled pattern. Several threads may compile it at once. */
static const pcre2_code *code_of(struct regex *regex)
{
	pcre2_code *code = atomic_load(&regex->code);
	pcre2_code *other = NULL;
	SCOPED(error_drop) struct error *err = NULL;

	if (code || (err = compile(str_text(&regex->text), &code)))
		return code;
	if (atomic_compare_exchange_strong(&regex->code, &other, code))
		return code;
	pcre2_code_free(code);
	return other;
}

struct error *regex_compile_glob(struct text glob, struct regex **ret)
{
	struct regex *regex;

	if (glob.size > limit_get(LIMIT_PATTERN))
		return too_long("glob", limit_get(LIMIT_PATTERN));
	regex = mem_zalloc(1, sizeof(*regex));
	regex->is_glob = true;
	str_add_text(&regex->text, glob);
	*ret = regex;
	return NULL;
}

void regex_free(struct regex *regex)
{
	if (!regex)
		return;
	pcre2_code_free(regex->code);
	str_release(&regex->text);
	free(regex);
}

/** Charge for a step that can run over @p ahead bytes; false: too dear. */
static bool charge(struct meter *meter, size_t ahead)
{
	size_t price = 1 + ahead / BYTES_PER_STEP;

	if (price > meter->left) {
		meter->left = 0;
		return false;
	}
	meter->left -= price;
	return true;
}

/** For pcre2: a negative answer ends the match. */
static int count_step(pcre2_callout_block *block, void *context)
{
	struct meter *meter = context;
	// The block's own length is only a part if a byte is invalid UTF-8.
	size_t ahead = meter->subject_size - block->current_position;

	return charge(meter, ahead) ? 0 : PCRE2_ERROR_MATCHLIMIT;
}

static enum regex_answer match(const pcre2_code *code, struct text subject,
                               struct meter *meter)
{
	pcre2_match_context *limits = pcre2_match_context_create(NULL);
	pcre2_match_data *data = pcre2_match_data_create(1, NULL);
	int found;

	if (!limits || !data)
		mem_fail();
	pcre2_set_match_limit(limits, MATCH_LIMIT);
	pcre2_set_depth_limit(limits, DEPTH_LIMIT);
	pcre2_set_heap_limit(limits, HEAP_LIMIT_KIB);
	pcre2_set_callout(limits, count_step, meter);
	found = pcre2_match(code, (PCRE2_SPTR)subject.data, subject.size, 0, 0,
	                    data, limits);
	pcre2_match_data_free(data);
	pcre2_match_context_free(limits);
	if (found == PCRE2_ERROR_NOMATCH)
		return REGEX_NO;
	return found >= 0 ? REGEX_YES : REGEX_UNDECIDED;
}

/**
 * Bytes at the start of @p subject that match a part of a glob without stars;
 * or TEXT_NOWHERE.
 */
static size_t part_size(struct text part, struct text subject)
{
	size_t at = 0;

	for (size_t i = 0; i < part.size; i++) {
		uint32_t c;
		size_t size = 1;

		if (part.data[i] == '?')
			size = at < subject.size ? utf8_decode(subject, at, &c)
			                         : 0;
		else if (at == subject.size || subject.data[at] != part.data[i])
			size = 0;
		if (!size)
			return TEXT_NOWHERE;
		at += size;
	}
	return at;
}

/**
 * Remove @p subject up to the first match of @p part or, for the last part,
 * match up to the end. The leftmost match is always best.
 */
static enum regex_answer find_part(struct text part, bool is_last,
                                   struct text *subject, struct meter *meter)
{
	struct text rest = *subject;

	// A character has at most four bytes.
	if (is_last && rest.size > 4 * part.size)
		rest = text_after(rest, rest.size - 4 * part.size);
	while (charge(meter, rest.size / 4 + part.size)) {
		size_t skipped = 0;
		size_t size;

		if (part.size && part.data[0] != '?')
			skipped = text_find_char(rest, part.data[0]);
		if (skipped == TEXT_NOWHERE)
			return REGEX_NO;
		rest = text_after(rest, skipped);
		size = part_size(part, rest);
		if (size != TEXT_NOWHERE && (!is_last || size == rest.size)) {
			*subject = text_after(rest, size);
			return REGEX_YES;
		}
		if (!rest.size)
			return REGEX_NO;
		rest = text_after(rest, 1);
	}
	return REGEX_UNDECIDED;
}

static enum regex_answer match_glob(struct text glob, struct text subject,
                                    struct meter *meter)
{
	size_t star = text_find_char(glob, '*');
	size_t size = part_size(text_first(glob, star), subject);

	if (size == TEXT_NOWHERE)
		return REGEX_NO;
	subject = text_after(subject, size);
	if (star == TEXT_NOWHERE)
		return subject.size ? REGEX_NO : REGEX_YES;
	do {
		enum regex_answer answer;

		glob = text_after(glob, star + 1);
		star = text_find_char(glob, '*');
		answer = find_part(text_first(glob, star), star == TEXT_NOWHERE,
		                   &subject, meter);
		if (answer != REGEX_YES)
			return answer;
	} while (star != TEXT_NOWHERE);
	return REGEX_YES;
}

bool regex_may_match(const struct regex *regex, struct text subject)
{
	return regex->is_glob || regex_starts_fit(&regex->starts, subject);
}

enum regex_answer regex_match(const struct regex *regex, struct text subject,
                              size_t *work)
{
	size_t max, lent;
	struct meter meter;
	enum regex_answer answer = REGEX_UNDECIDED;

	if (subject.size > REGEX_SUBJECT_BYTES)
		return answer;
	if (!regex_may_match(regex, subject))
		return REGEX_NO;
	max = limit_get(LIMIT_PATTERN_STEPS);
	lent = *work < max ? *work : max;
	meter = (struct meter){ .left = lent, .subject_size = subject.size };
	// pcre2 may reject without a step, if a letter is missing.
	if (charge(&meter, subject.size)) {
		if (regex->is_glob)
			answer = match_glob(str_text(&regex->text), subject,
			                    &meter);
		else if (charge(&meter, MATCH_STEPS * BYTES_PER_STEP))
			answer = match(code_of((struct regex *)regex), subject,
			               &meter);
	}
	*work -= lent - meter.left;
	return answer;
}

#define QUOTE(value)          #value
#define VERSION(major, minor) QUOTE(major) "." QUOTE(minor)

const char *regex_library_version(void)
{
	return VERSION(PCRE2_MAJOR, PCRE2_MINOR);
}
