// SPDX-License-Identifier: MIT
#include "lib/darwin/log_prefix.h"

#include "lib/base/compiler.h"
#include "lib/base/number.h"
#include "lib/darwin/log_time.h"

#include <string.h>

// Max size and words of a prefix.
#define PREFIX_BYTES_MAX 400
#define PREFIX_WORDS_MAX 12
/** Of a process. */
#define NAME_BYTES_MAX 100
/** Numbers before the process in lines of `log stream`. */
#define LOG_COLUMNS 4

// clang-format off
#define LEVEL(word) { word, sizeof(word) - 1 }
// clang-format on

/** Names of levels. */
static const struct text levels[] = {
	LEVEL("Default"), LEVEL("Info"),   LEVEL("Debug"),    LEVEL("Error"),
	LEVEL("Fault"),   LEVEL("Notice"), LEVEL("Warning"),  LEVEL("Warn"),
	LEVEL("default"), LEVEL("info"),   LEVEL("debug"),    LEVEL("error"),
	LEVEL("fault"),   LEVEL("warn"),   LEVEL("ERROR"),    LEVEL("WARN"),
	LEVEL("WARNING"), LEVEL("INFO"),   LEVEL("DEBUG"),    LEVEL("LOG"),
	LEVEL("FATAL"),   LEVEL("E"),      LEVEL("W"),        LEVEL("I"),
	LEVEL("D"),       LEVEL("V"),      LEVEL("F"),        LEVEL("A"),
	LEVEL("Df"),      LEVEL("Db"),     LEVEL("In"),       LEVEL("Er"),
	LEVEL("Fa"),      LEVEL("No"),     LEVEL("Activity"),
};

static bool is_level(struct text word)
{
	if (word.size > sizeof("Activity") - 1)
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(levels); i++)
		if (levels[i].size == word.size &&
		    levels[i].data[0] == word.data[0] &&
		    text_equal(word, levels[i]))
			return true;
	return false;
}

static bool is_digits(struct text word)
{
	return word.size && text_count_digits(word) == word.size;
}

static void skip_blanks(struct text *rest)
{
	*rest = text_after(*rest, text_count_blanks(*rest));
}

/** `[…]`, `(…)`, `<…>`, and a colon that follows it. */
static bool take_group(struct text *rest, struct log_prefix *ret)
{
	static const char pairs[] = "[]()<>";
	const char *open = rest->size ? strchr(pairs, rest->data[0]) : NULL;
	size_t end;

	if (!open || !*open || (open - pairs) % 2)
		return false;
	end = text_find_char(*rest, open[1]);
	// `[Foo bar]` may belong to the message; a category has no blank.
	if (end == TEXT_NOWHERE || end < 2 ||
	    text_find_char(text_first(*rest, end), ' ') != TEXT_NOWHERE ||
	    text_starts(*rest, "(0x"))
		return false;
	ret->is_apple |= *open != '[';
	*rest = text_after(*rest, end + 1);
	text_take(rest, ":");
	return true;
}

/** `Demo[612:12345]`, `Demo(CoreFoundation)[612]`, and a colon after it. */
static bool take_process(struct text *rest, struct log_prefix *ret)
{
	size_t open = text_find_char(*rest, '[');
	struct text name = text_first(*rest, open);
	struct text inside = text_after(*rest, open + 1);
	size_t close = text_find_char(inside, ']');
	struct text pid;
	size_t paren;

	if (open == TEXT_NOWHERE || !open || close == TEXT_NOWHERE || !close ||
	    open > NAME_BYTES_MAX)
		return false;
	pid = text_first(text_first(inside, close),
	                 text_find_char(text_first(inside, close), ':'));
	if (!number_decimal(pid, &ret->pid))
		return false;
	paren = text_find_char(name, '(');
	name = text_first(name, paren);
	// Names of apps may have single blanks, but no punctuation.
	if (!name.size || text_find(name, "  ") != TEXT_NOWHERE ||
	    text_find_char(name, ':') != TEXT_NOWHERE ||
	    text_is_space(name.data[name.size - 1]))
		return false;
	ret->has_pid = true;
	ret->is_apple |= paren != TEXT_NOWHERE || pid.size < close;
	ret->process = name;
	*rest = text_after(inside, close + 1);
	text_take(rest, ":");
	return true;
}

/** How far the words before a message have been read. */
struct words {
	struct text rest;
	size_t numbers;
	struct text first_number; ///< with all that follows it
	bool has_process;
	bool has_tag;
	bool is_logcat; ///< it has a one-letter level: the tag is not a process
	bool is_over;   ///< the message follows
};

/** The word that @p rest begins with; empty before a blank. */
static struct text first_word(struct text rest)
{
	size_t size = 0;

	while (size < rest.size && !text_is_space(rest.data[size]))
		size++;
	return text_first(rest, size);
}

/** `Acme Shop: ` after thread, activity, process and time to live of `log`. */
static bool take_long_tag(struct words *words, struct log_prefix *ret)
{
	struct text name = text_first(words->rest, NAME_BYTES_MAX);

	name = text_first(name, text_find(name, ": "));
	if (words->numbers < LOG_COLUMNS || name.size == NAME_BYTES_MAX ||
	    name.size == words->rest.size || !name.size ||
	    text_find(name, "  ") != TEXT_NOWHERE)
		return false;
	for (size_t i = 0; i < name.size; i++)
		if (strchr("[](){}<>\"'\t:", name.data[i]))
			return false;
	words->has_tag = true;
	if (!words->is_logcat)
		ret->process = name;
	words->rest = text_after(words->rest, name.size + 1);
	return true;
}

/** `612`, `0x1a2b`, `E`, `ReactNativeJS:`: columns of logcat and `log`. */
static bool take_column(struct words *words, struct log_prefix *ret)
{
	struct text word;

	if (words->has_process || words->has_tag)
		return false;
	word = first_word(words->rest);
	if (!word.size)
		return false;
	if (is_digits(word) || text_starts(word, "0x")) {
		if (is_digits(word) && !ret->has_pid)
			ret->has_pid = number_decimal(word, &ret->pid);
		ret->is_apple |= text_starts(word, "0x");
		if (!words->numbers++)
			words->first_number = words->rest;
	} else if (words->numbers && text_ends(word, ":") && word.size > 1) {
		words->has_tag = true;
		if (!words->is_logcat)
			ret->process = text_first(word, word.size - 1);
	} else if (!is_level(word)) {
		return take_long_tag(words, ret);
	} else {
		words->is_logcat |= words->numbers && word.size == 1 &&
		                    !ret->is_apple;
	}
	words->rest = text_after(words->rest, word.size);
	return true;
}

/** The host's name, if a process follows it: then it is both. */
static bool take_host(struct words *words, struct log_prefix *ret)
{
	struct text word = first_word(words->rest);
	struct text after;

	if (words->has_process || !word.size ||
	    text_find_char(word, '[') != TEXT_NOWHERE)
		return false;
	after = text_after(words->rest, word.size);
	skip_blanks(&after);
	if (!take_process(&after, ret))
		return false;
	words->rest = after;
	words->has_process = true;
	return true;
}

/** `Acme Shop[612:12345]`. */
static bool has_thread(struct text rest)
{
	size_t open = text_find_char(rest, '[');
	struct text inside = text_after(rest, open);
	size_t close = text_find_char(inside, ']');

	return open != TEXT_NOWHERE && close != TEXT_NOWHERE &&
	       text_find_char(text_first(inside, close), ':') != TEXT_NOWHERE;
}

static bool take_one(struct words *words, struct log_prefix *ret)
{
	struct text rest = words->rest;

	if (take_group(&words->rest, ret) || take_column(words, ret))
		return true;
	if (words->has_process || words->has_tag)
		return false;
	// With a thread it is an app, whose name may have blanks.
	if (!has_thread(words->rest) && take_host(words, ret))
		return true;
	if (!take_process(&rest, ret))
		return false;
	words->rest = rest;
	words->has_process = true;
	return true;
}

/** `[id@1 key="value"]`: quoted values may contain brackets. */
static bool take_element(struct text *rest)
{
	bool is_quoted = false;

	if (!text_starts(*rest, "["))
		return false;
	for (size_t i = 1; i < rest->size; i++) {
		char c = rest->data[i];

		if (is_quoted && c == '\\') {
			i++;
		} else if (c == '"') {
			is_quoted = !is_quoted;
		} else if (c == ']' && !is_quoted) {
			*rest = text_after(*rest, i + 1);
			return true;
		}
	}
	return false;
}

/** `iPhone Demo 612 - - `: the text after the time in RFC 5424. */
static bool take_syslog(struct text *rest, struct log_prefix *ret)
{
	struct text at = *rest;
	struct text host, process, pid, id;

	if (!text_next_word(&at, &host) || !text_next_word(&at, &process) ||
	    !text_next_word(&at, &pid) || !text_next_word(&at, &id) ||
	    text_find_char(process, '[') != TEXT_NOWHERE ||
	    (!text_is(pid, "-") && !number_decimal(pid, &ret->pid)))
		return false;
	skip_blanks(&at);
	if (!text_take(&at, "-")) {
		if (!take_element(&at))
			return false;
		while (take_element(&at))
			;
	}
	ret->has_pid = !text_is(pid, "-");
	ret->process = text_is(process, "-") ? TEXT_NONE : process;
	*rest = at;
	return true;
}

static size_t size_until(struct text line, struct text rest)
{
	return (size_t)(rest.data - line.data);
}

/** Read the words of a prefix; returns the rest. */
static struct text take_words(struct words *words, struct log_prefix *ret)
{
	const struct text start = words->rest;
	struct text end = start;

	for (size_t i = 0; i < PREFIX_WORDS_MAX; i++) {
		skip_blanks(&words->rest);
		if (!words->rest.size || !take_one(words, ret))
			break;
		end = words->rest;
	}
	// Numbers are columns only before a tag; else they belong to the
	// message.
	if (words->numbers && !words->has_tag && !words->has_process) {
		ret->has_pid = false;
		end = words->first_number;
		while (end.data > start.data && text_is_blank(end.data[-1]))
			end = text_after(start, size_until(start, end) - 1);
	}
	return end;
}

/** A time, then words; the message begins at the first unknown word. */
static struct log_prefix timed_prefix(struct text line)
{
	struct log_prefix ret = { .process = TEXT_NONE };
	struct words words = { .rest = line };
	bool is_syslog = false;
	struct text end;

	// `<134>1 `, a priority of syslog, and its version.
	if (text_starts(line, "<")) {
		size_t close = text_find_char(text_first(line, 6), '>');

		if (close == TEXT_NOWHERE)
			return ret;
		words.rest = text_after(line, close + 1);
		is_syslog = text_take(&words.rest, "1 ");
	}
	if (!log_time_take(&words.rest))
		return ret;
	end = words.rest;
	if (!is_syslog || !take_syslog(&end, &ret))
		end = take_words(&words, &ret);
	// One blank is the prefix's; others are of the message.
	if (end.size && text_is_blank(end.data[0]))
		end = text_after(end, 1);
	text_take(&end, "\xef\xbb\xbf");
	ret.size = size_until(line, end);
	return ret;
}

/** The Console's columns: `error\t10:00:00.123+0100\tDemo\tmessage`. */
static struct log_prefix column_prefix(struct text line)
{
	struct log_prefix ret = { .process = TEXT_NONE };
	size_t tab = text_find_char(text_first(line, 20), '\t');
	struct text rest = line;

	if (tab == TEXT_NOWHERE || !is_level(text_first(line, tab)))
		return ret;
	rest = text_after(line, tab + 1);
	if (!log_time_take_clock(&rest) || !text_take(&rest, "\t"))
		return ret;
	tab = text_find_char(rest, '\t');
	if (tab == TEXT_NOWHERE)
		return ret;
	ret.process = text_first(rest, tab);
	ret.is_apple = true;
	ret.size = size_until(line, rest) + tab + 1;
	return ret;
}

/** `E/ReactNativeJS(  612): message`, logcat's brief form. */
static struct log_prefix brief_prefix(struct text line)
{
	struct log_prefix ret = { .process = TEXT_NONE };
	size_t open = text_find_char(text_first(line, 80), '(');
	struct text rest;

	if (line.size < 4 || line.data[1] != '/' || open == TEXT_NOWHERE ||
	    !is_level(text_first(line, 1)))
		return ret;
	rest = text_trim_left(text_after(line, open + 1));
	text_take_digits(&rest);
	if (text_take(&rest, "): "))
		ret.size = size_until(line, rest);
	return ret;
}

/** ` ERROR  `, `flutter: `, `E  `: prefixes of runtimes' tools. */
static struct log_prefix plain_prefix(struct text line)
{
	static const char *const words[] = { " ERROR  ", " WARN  ", " LOG  ",
		                             "flutter: " };
	static const char *const engines[] = { "[VERBOSE-", "[ERROR:flutter/",
		                               "[FATAL:flutter/" };
	struct log_prefix ret = { .process = TEXT_NONE };
	size_t end = text_find(line, "] ");

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (text_starts(line, words[i]))
			ret.size = strlen(words[i]);
	// `[VERBOSE-2:dart_vm_initializer.cc(41)] `
	for (size_t i = 0; i < ARRAY_SIZE(engines); i++)
		if (text_starts(line, engines[i]) && end != TEXT_NOWHERE)
			ret.size = end + 2;
	return ret;
}

/** Can a name of an app have this byte? Blanks are handled elsewhere. */
static bool is_of_name(char c)
{
	return text_is_alnum(c) || (unsigned char)c >= 0x80 ||
	       (c && strchr("_-.+&'", c));
}

/** `Demo`, `Acme Shop`: a name of words that begin like one, or one word. */
static bool is_name(struct text name)
{
	for (size_t i = 0; i < name.size; i++) {
		char next = i + 1 < name.size ? name.data[i + 1] : ' ';

		if (is_of_name(name.data[i]))
			continue;
		if (name.data[i] != ' ' || !i || !is_of_name(next) ||
		    (next >= 'a' && next <= 'z'))
			return false;
	}
	return name.size > 0;
}

/** `Demo[612:12345] `, without a time; a thread is in hexadecimal, too. */
static struct log_prefix untimed_prefix(struct text line)
{
	struct log_prefix ret = { .process = TEXT_NONE };
	size_t open = text_find_char(text_first(line, 64), '[');
	struct text rest = text_after(line, open + 1);
	size_t colon = text_find_char(text_first(rest, 12), ':');
	size_t size;

	if (open == TEXT_NOWHERE || colon == TEXT_NOWHERE ||
	    !number_decimal(text_first(rest, colon), &ret.pid) ||
	    !is_name(text_first(line, open)))
		return ret;
	rest = text_after(rest, colon + 1);
	size = text_count_hex_digits(rest);
	rest = text_after(rest, size);
	if (!size || !text_take(&rest, "]"))
		return ret;
	text_take(&rest, ":");
	if (!text_take(&rest, " "))
		return ret;
	ret.process = text_first(line, open);
	ret.has_pid = true;
	ret.is_apple = true;
	ret.size = size_until(line, rest);
	return ret;
}

/** `dyld[612]: `. */
static void take_dyld(struct text line, struct log_prefix *ret)
{
	struct text digits;

	if (!text_take(&line, "dyld["))
		return;
	digits = text_take_digits(&line);
	ret->has_pid = text_starts(line, "]: ") &&
	               number_decimal(digits, &ret->pid);
}

/** Can a prefix without a name begin like this? Most lines do not. */
static bool may_begin(char c)
{
	return text_is_digit(c) || (c && strchr("[< JFMASONDTdiefwEWIVLN", c));
}

struct log_prefix log_prefix_of(struct text line)
{
	static struct log_prefix (*const forms[])(struct text) = {
		timed_prefix,
		column_prefix,
		brief_prefix,
		plain_prefix,
	};
	struct log_prefix ret = { .process = TEXT_NONE };

	if (!line.size)
		return ret;
	line = text_first(line, PREFIX_BYTES_MAX);
	for (size_t i = 0;
	     may_begin(line.data[0]) && i < ARRAY_SIZE(forms) && !ret.size; i++)
		ret = forms[i](line);
	if (ret.size || !is_of_name(line.data[0]))
		return ret;
	ret = untimed_prefix(line);
	if (!ret.size)
		take_dyld(line, &ret);
	return ret;
}

struct text log_prefix_message(struct text line)
{
	return text_after(line, log_prefix_of(line).size);
}
