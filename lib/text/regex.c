// SPDX-License-Identifier: MIT
#include "lib/text/regex.h"

#include "lib/base/limit.h"
#include "lib/base/mem.h"
#include "lib/base/str.h"
#include "lib/base/utf8.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

/** By byte: can a match begin with it? */
struct first_bytes {
	unsigned char bits[256 / 8];
};

struct regex {
	pcre2_code *code; ///< NULL: a glob
	/** Of a pattern that matches nowhere but at the start; else all. */
	struct first_bytes first;
	struct str glob;
};

/**
 * What pcre2 may do at most at one start in the subject. These alone bound no
 * match, for a subject has many starts: that is what counting steps is for.
 */
#define MATCH_LIMIT    100000
#define DEPTH_LIMIT    1000
#define HEAP_LIMIT_KIB (8 << 10)

/** One step may run over this much of the subject for the price of one. */
#define BYTES_PER_STEP 32

/** What pcre2 needs before its first step, in steps. */
#define MATCH_STEPS 8

/** What a match costs, seen from within pcre2. */
struct meter {
	size_t left;
	size_t subject_size;
};

/** Room for pcre2's longest message (its manual says 120). */
#define MESSAGE_SIZE 256

static struct error *too_long(const char *what, size_t most)
{
	SCOPED(str_release) struct str size = { 0 };

	limit_add_value(&size, LIMIT_PATTERN, most);
	return limit_error(LIMIT_PATTERN, "%s of more than %s", what,
	                   str_cstr(&size));
}

/**
 * With which bytes what follows `^` can begin. Of a pattern that is anchored
 * pcre2 does not say it, but of the rest of it.
 */
static struct first_bytes find_first(const pcre2_code *code,
                                     struct text pattern, uint32_t options)
{
	struct first_bytes ret;
	uint32_t all = 0;
	const uint8_t *bits = NULL;
	pcre2_code *rest;
	PCRE2_SIZE offset;
	int fault;

	memset(&ret, 0xff, sizeof(ret));
	pcre2_pattern_info(code, PCRE2_INFO_ALLOPTIONS, &all);
	if (!(all & PCRE2_ANCHORED) || !text_take(&pattern, "^"))
		return ret;
	rest = pcre2_compile((PCRE2_SPTR)pattern.data, pattern.size, options,
	                     &fault, &offset, NULL);
	if (rest && !pcre2_pattern_info(rest, PCRE2_INFO_FIRSTBITMAP, &bits) &&
	    bits)
		memcpy(ret.bits, bits, sizeof(ret.bits));
	pcre2_code_free(rest);
	return ret;
}

/**
 * pcre2 refuses as too large what has more than some 7,000 items, whatever the
 * limit.
 */
struct error *regex_compile(struct text pattern, struct regex **ret)
{
	const uint32_t ours = PCRE2_UTF | PCRE2_MATCH_INVALID_UTF |
	                      PCRE2_NEVER_BACKSLASH_C;
	PCRE2_UCHAR message[MESSAGE_SIZE];
	PCRE2_SIZE offset;
	struct regex *regex;
	pcre2_code *code;
	int fault;

	if (pattern.size > limit_get(LIMIT_PATTERN))
		return too_long("pattern", limit_get(LIMIT_PATTERN));
	// Callouts before every item: there the steps are counted.
	code = pcre2_compile((PCRE2_SPTR)pattern.data, pattern.size,
	                     ours | PCRE2_AUTO_CALLOUT, &fault, &offset, NULL);
	if (code) {
		regex = mem_alloc(sizeof(*regex));
		*regex = (struct regex){
			.code = code,
			.first = find_first(code, pattern, ours),
		};
		*ret = regex;
		return NULL;
	}
	if (fault == PCRE2_ERROR_HEAP_FAILED)
		mem_fail();
	pcre2_get_error_message(fault, message, sizeof(message));
	return error_new(ERROR_CONFIG, "pattern, offset %zu: %s",
	                 (size_t)offset, (const char *)message);
}

struct error *regex_compile_glob(struct text glob, struct regex **ret)
{
	struct regex *regex;

	if (glob.size > limit_get(LIMIT_PATTERN))
		return too_long("glob", limit_get(LIMIT_PATTERN));
	regex = mem_zalloc(1, sizeof(*regex));
	str_add_text(&regex->glob, glob);
	*ret = regex;
	return NULL;
}

void regex_free(struct regex *regex)
{
	if (!regex)
		return;
	pcre2_code_free(regex->code);
	str_release(&regex->glob);
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
	// The block's own length is that of a part, where a byte is not UTF-8.
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
 * How much of @p subject a part of a glob without stars takes at its start;
 * TEXT_NOWHERE: it does not match there.
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
 * Cut @p subject behind the first place where @p part matches, or, for the last
 * part, matches up to the end. A part that is searched for from left to right
 * is nowhere better than where it is first.
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

/**
 * Is there no match, as its first byte shows? Where the first is not UTF-8, the
 * start may be elsewhere.
 */
static bool begins_otherwise(const struct regex *regex, struct text subject)
{
	unsigned char first = subject.size ? (unsigned char)subject.data[0]
	                                   : 0x80;

	return first < 0x80 &&
	       !(regex->first.bits[first / 8] & 1U << first % 8);
}

enum regex_answer regex_match(const struct regex *regex, struct text subject,
                              size_t *work)
{
	size_t most = limit_get(LIMIT_PATTERN_STEPS);
	size_t lent = *work < most ? *work : most;
	struct meter meter = { .left = lent, .subject_size = subject.size };
	enum regex_answer answer = REGEX_UNDECIDED;

	if (subject.size > REGEX_SUBJECT_BYTES)
		return answer;
	// pcre2 can say no without a step, where a letter is missing.
	if (charge(&meter, subject.size)) {
		if (!regex->code)
			answer = match_glob(str_text(&regex->glob), subject,
			                    &meter);
		else if (begins_otherwise(regex, subject))
			answer = REGEX_NO;
		else if (charge(&meter, MATCH_STEPS * BYTES_PER_STEP))
			answer = match(regex->code, subject, &meter);
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
