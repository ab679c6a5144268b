#include "lib/darwin/log_prefix.h"

#include "lib/base/number.h"

#include <string.h>

// No prefix is longer, and none has more words.
#define PREFIX_BYTES_MAX 400
#define PREFIX_WORDS_MAX 12
/** Of a process. */
#define NAME_BYTES_MAX 100
/** Numbers before the process in lines of `log stream`. */
#define LOG_COLUMNS 4

// clang-format off
#define LEVEL(word) { word, sizeof(word) - 1 }
// clang-format on

/** Words that say how grave a message is. */
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

static const char *const months[] = {
	"Jan", "Feb", "Mar", "Apr", "May", "Jun",
	"Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
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

/** Take a word that has the shape of @p shape: `d` is a digit. */
static inline bool take_shape(struct text *rest, const char *shape)
{
	size_t size = strlen(shape);

	// Most words of a shape begin with a digit.
	if (rest->size < size ||
	    (shape[0] == 'd' && !text_is_digit(rest->data[0])))
		return false;
	for (size_t i = 0; i < size; i++)
		if (shape[i] == 'd' ? !text_is_digit(rest->data[i])
		                    : rest->data[i] != shape[i])
			return false;
	*rest = text_after(*rest, size);
	return true;
}

/** Digits behind a point or comma, and the zone. */
static void take_fraction(struct text *rest)
{
	size_t digits = text_count_digits(text_after(*rest, 1));

	if (digits && (rest->data[0] == '.' || rest->data[0] == ','))
		*rest = text_after(*rest, 1 + digits);
	if (text_take(rest, "Z"))
		return;
	if (!take_shape(rest, "+dd:dd") && !take_shape(rest, "-dd:dd") &&
	    !take_shape(rest, "+dddd"))
		take_shape(rest, "-dddd");
}

static bool take_clock(struct text *rest)
{
	if (!take_shape(rest, "dd:dd:dd"))
		return false;
	take_fraction(rest);
	return true;
}

static void skip_blanks(struct text *rest)
{
	*rest = text_after(*rest, text_count_blanks(*rest));
}

/** `Nov  1 `, `Nov 01 2026 `. */
static bool take_month(struct text *rest)
{
	// Three letters, then a blank.
	if (rest->size < 4 || !text_is_blank(rest->data[3]) ||
	    !text_is_letter(rest->data[0]))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(months); i++) {
		struct text at = *rest;

		if (memcmp(at.data, months[i], 3) != 0)
			continue;
		at = text_after(at, 3);
		skip_blanks(&at);
		if (!take_shape(&at, "dd") && !take_shape(&at, "d"))
			return false;
		skip_blanks(&at);
		if (take_shape(&at, "dddd "))
			skip_blanks(&at);
		*rest = at;
		return true;
	}
	return false;
}

/** `Thu `, as JavaScript's dates have it. */
static void take_weekday(struct text *rest)
{
	static const char *const days[] = { "Mon ", "Tue ", "Wed ", "Thu ",
		                            "Fri ", "Sat ", "Sun " };

	if (rest->size < 4 || rest->data[3] != ' ')
		return;
	for (size_t i = 0; i < ARRAY_SIZE(days); i++)
		if (!memcmp(rest->data, days[i], 4)) {
			*rest = text_after(*rest, 4);
			return;
		}
}

/** A time of day, with a date before it or without. */
static bool take_time(struct text *rest)
{
	struct text at = *rest;
	bool has_bracket = text_take(&at, "[");

	take_weekday(&at);
	if (take_shape(&at, "dddd-dd-dd") || take_shape(&at, "dddd/dd/dd")) {
		if (!text_take(&at, "T"))
			skip_blanks(&at);
	} else if (take_shape(&at, "dd-dd ") || take_month(&at)) {
		skip_blanks(&at);
	}
	if (!take_clock(&at) || (has_bracket && !text_take(&at, "]")))
		return false;
	*rest = at;
	return true;
}

/** `[…]`, `(…)`, `<…>`, and a colon that follows it. */
static bool take_group(struct text *rest)
{
	static const char pairs[] = "[]()<>";
	const char *open = rest->size ? strchr(pairs, rest->data[0]) : NULL;
	size_t end;

	if (!open || !*open || (open - pairs) % 2)
		return false;
	end = text_find_char(*rest, open[1]);
	// `[Foo bar]` may be of the message; a category has no blank.
	if (end == TEXT_NOWHERE || end < 2 ||
	    text_find_char(text_first(*rest, end), ' ') != TEXT_NOWHERE ||
	    text_starts(*rest, "(0x"))
		return false;
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
	// Names of apps may hold blanks, but no two, and no mark.
	if (!name.size || text_find(name, "  ") != TEXT_NOWHERE ||
	    text_find_char(name, ':') != TEXT_NOWHERE ||
	    text_is_space(name.data[name.size - 1]))
		return false;
	ret->has_pid = true;
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
	bool is_over; ///< what follows is the message
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
		if (!words->numbers++)
			words->first_number = words->rest;
	} else if (words->numbers && text_ends(word, ":") && word.size > 1) {
		words->has_tag = true;
		ret->process = text_first(word, word.size - 1);
	} else if (!is_level(word)) {
		return take_long_tag(words, ret);
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

	if (take_group(&words->rest) || take_column(words, ret))
		return true;
	if (words->has_process || words->has_tag)
		return false;
	// With a thread it is an app's own, whose name may hold blanks.
	if (!has_thread(words->rest) && take_host(words, ret))
		return true;
	if (!take_process(&rest, ret))
		return false;
	words->rest = rest;
	words->has_process = true;
	return true;
}

static size_t size_until(struct text line, struct text rest)
{
	return (size_t)(rest.data - line.data);
}

/** Numbers are columns if a tag follows them; else they are the message's. */
static void give_back_numbers(struct text line, const struct words *words,
                              size_t *end, struct log_prefix *ret)
{
	if (!words->numbers || words->has_tag || words->has_process)
		return;
	ret->has_pid = false;
	*end = size_until(line, words->first_number);
	while (*end && text_is_blank(line.data[*end - 1]))
		--*end;
}

/** Time, then words; the message is what no word is known of. */
static struct log_prefix timed_prefix(struct text line)
{
	struct log_prefix ret = { .process = TEXT_NONE };
	struct words words = { .rest = line };
	size_t end;

	// `<134>1 `, a priority of syslog.
	if (text_starts(line, "<")) {
		size_t close = text_find_char(text_first(line, 6), '>');

		if (close == TEXT_NOWHERE)
			return ret;
		words.rest = text_after(line, close + 1);
		text_take(&words.rest, "1 ");
	}
	if (!take_time(&words.rest))
		return ret;
	end = size_until(line, words.rest);
	for (size_t i = 0; i < PREFIX_WORDS_MAX; i++) {
		skip_blanks(&words.rest);
		if (!words.rest.size || !take_one(&words, &ret))
			break;
		end = size_until(line, words.rest);
	}
	give_back_numbers(line, &words, &end, &ret);
	// One blank is the prefix's; others are of the message.
	if (end < line.size && text_is_blank(line.data[end]))
		end++;
	ret.size = end;
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
	if (!take_clock(&rest) || !text_take(&rest, "\t"))
		return ret;
	tab = text_find_char(rest, '\t');
	if (tab == TEXT_NOWHERE)
		return ret;
	ret.process = text_first(rest, tab);
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

/** ` ERROR  `, `flutter: `, `E  `: what tools of runtimes set before it. */
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

/** `Demo[612:12345] `, without a time; a thread is in hexadecimal, too. */
static struct log_prefix untimed_prefix(struct text line)
{
	struct log_prefix ret = { .process = TEXT_NONE };
	size_t open = text_find_char(text_first(line, 64), '[');
	struct text rest = text_after(line, open + 1);
	size_t colon = text_find_char(text_first(rest, 12), ':');
	size_t size;

	if (open == TEXT_NOWHERE || !open || colon == TEXT_NOWHERE ||
	    !number_decimal(text_first(rest, colon), &ret.pid))
		return ret;
	for (size_t i = 0; i < open; i++)
		if (!text_is_alnum(line.data[i]) &&
		    !strchr("_-.", line.data[i]))
			return ret;
	rest = text_after(rest, colon + 1);
	size = text_count_hex_digits(rest);
	rest = text_after(rest, size);
	if (!size || !text_take(&rest, "] "))
		return ret;
	ret.process = text_first(line, open);
	ret.has_pid = true;
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
	// What none of the forms begins with: most lines of most texts.
	if (text_is_digit(line.data[0]) ||
	    (line.data[0] && strchr("[< JFMASONDdiefwEWIVLN", line.data[0])))
		for (size_t i = 0; i < ARRAY_SIZE(forms) && !ret.size; i++)
			ret = forms[i](line);
	if (ret.size || !text_is_letter(line.data[0]))
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
