#include "parsers/json/extent.h"

#include <string.h>

/** What a name of an outermost object says (formats.md chapter 1). */
enum sign {
	SIGN_NONE,
	SIGN_BUG_TYPE,
	SIGN_HEADER, ///< two of these make a header
	SIGN_BODY,
};

static const struct {
	const char *name; ///< with its quotes
	enum sign sign;
} signs[] = {
	{ "\"bug_type\"", SIGN_BUG_TYPE },
	{ "\"app_name\"", SIGN_HEADER },
	{ "\"timestamp\"", SIGN_HEADER },
	{ "\"incident_id\"", SIGN_HEADER },
	{ "\"os_version\"", SIGN_HEADER },
	// .ips
	{ "\"threads\"", SIGN_BODY },
	{ "\"usedImages\"", SIGN_BODY },
	{ "\"faultingThread\"", SIGN_BODY },
	{ "\"panicString\"", SIGN_BODY },
	{ "\"macOSPanicString\"", SIGN_BODY },
	{ "\"processByPid\"", SIGN_BODY },
	{ "\"largestProcess\"", SIGN_BODY },
	{ "\"memoryStatus\"", SIGN_BODY },
	// KSCrash, its wrapper, Matrix
	{ "\"crash\"", SIGN_BODY },
	{ "\"report\"", SIGN_BODY },
	{ "\"recrash_report\"", SIGN_BODY },
	{ "\"appleReport\"", SIGN_BODY },
	{ "\"stack_string\"", SIGN_BODY },
	// MetricKit
	{ "\"crashDiagnostics\"", SIGN_BODY },
	{ "\"hangDiagnostics\"", SIGN_BODY },
	{ "\"cpuExceptionDiagnostics\"", SIGN_BODY },
	{ "\"diskWriteExceptionDiagnostics\"", SIGN_BODY },
	{ "\"appLaunchDiagnostics\"", SIGN_BODY },
	{ "\"callStackTree\"", SIGN_BODY },
	{ "\"callStacks\"", SIGN_BODY },
};

/** A value that is being measured. */
struct walk {
	struct text in;
	size_t at;
	size_t depth;
	size_t string_at; ///< where the last string begins
	size_t string_size;
	size_t header_names;
	char before; ///< the last character that is not blank
	struct json_extent found;
};

static struct text last_string(const struct walk *walk)
{
	return text_first(text_after(walk->in, walk->string_at),
	                  walk->string_size);
}

/** The last string was a name of the outermost object. */
static void see_name(struct walk *walk)
{
	struct text name = last_string(walk);
	enum sign sign = SIGN_NONE;

	if (!walk->found.first_name.size)
		walk->found.first_name = name;
	for (size_t i = 0; i < ARRAY_SIZE(signs); i++)
		if (text_is(name, signs[i].name))
			sign = signs[i].sign;
	walk->found.has_bug_type |= sign == SIGN_BUG_TYPE;
	walk->found.is_body |= sign == SIGN_BODY;
	walk->header_names += sign == SIGN_HEADER;
}

/** May a value stand behind this character? */
static bool precedes_value(char c)
{
	return c == '[' || c == ',' || c == ':';
}

/** A line begins at @p line, inside the value: does it end the value? */
static bool begins_other(const struct walk *walk, struct text line)
{
	struct text first = walk->found.first_name;

	if (!line.size || (line.data[0] != '{' && line.data[0] != 'I'))
		return false;
	if (text_starts(line, "Incident Identifier:"))
		return true;
	if (line.data[0] != '{')
		return false;
	if (!precedes_value(walk->before))
		return true;
	// JSON Lines: all begin alike, and no report lies in another one.
	line = text_after(line, 1);
	return first.size && line.size >= first.size &&
	       !memcmp(line.data, first.data, first.size);
}

/** Step over a line end; false where the value ends behind it. */
static bool pass_line_end(struct walk *walk)
{
	bool is_cr = walk->in.data[walk->at] == '\r';

	walk->at++;
	if (is_cr && walk->at < walk->in.size &&
	    walk->in.data[walk->at] == '\n')
		walk->at++;
	return !begins_other(walk, text_after(walk->in, walk->at));
}

/** Step over a string; false where the value ends inside it. */
static bool pass_string(struct walk *walk)
{
	walk->string_at = walk->at++;
	while (walk->at < walk->in.size) {
		char c = walk->in.data[walk->at];

		// No line ends in a string, but consoles' logs are raw.
		if (c == '\n' || c == '\r') {
			walk->before = '"';
			if (!pass_line_end(walk))
				return false;
			continue;
		}
		walk->at += c == '\\' && walk->at + 1 < walk->in.size ? 2 : 1;
		if (c == '"') {
			walk->string_size = walk->at - walk->string_at;
			walk->before = '"';
			return true;
		}
	}
	return false;
}

/** Step over a character outside of strings; true at the end of the value. */
static bool pass_other(struct walk *walk)
{
	char c = walk->in.data[walk->at++];

	if (c == '{' || c == '[')
		walk->depth++;
	else if (c == '}' || c == ']')
		walk->depth--;
	else if (c == ':' && walk->depth == 1 && walk->before == '"')
		see_name(walk);
	if (!text_is_space(c))
		walk->before = c;
	return !walk->depth;
}

struct json_extent json_extent(struct text in)
{
	struct walk walk = { .in = in };
	bool goes_on = true;

	while (goes_on && walk.at < in.size && !walk.found.complete) {
		char c = in.data[walk.at];

		if (c == '"')
			goes_on = pass_string(&walk);
		else if (c == '\n' || c == '\r')
			goes_on = pass_line_end(&walk);
		else
			walk.found.complete = pass_other(&walk);
	}
	walk.found.size = walk.at;
	walk.found.is_header =
	        !walk.found.is_body &&
	        (walk.found.has_bug_type || walk.header_names >= 2);
	return walk.found;
}
