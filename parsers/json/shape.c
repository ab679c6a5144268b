#include "parsers/json/shape.h"

#include "lib/base/octets.h"

#include <string.h>

/** What a name says besides what its format's parser makes of it. */
enum meaning {
	OF_ANY,
	OF_HEADER, ///< two of these make a header
	OF_BODY,
};

static const struct {
	const char *name;
	enum meaning meaning;
} names[] = {
	[JSON_NAME_BUG_TYPE] = { "bug_type", OF_ANY },
	[JSON_NAME_APP_NAME] = { "app_name", OF_HEADER },
	[JSON_NAME_TIMESTAMP] = { "timestamp", OF_HEADER },
	[JSON_NAME_INCIDENT_ID] = { "incident_id", OF_HEADER },
	[JSON_NAME_OS_VERSION] = { "os_version", OF_HEADER },
	[JSON_NAME_THREADS] = { "threads", OF_BODY },
	[JSON_NAME_USED_IMAGES] = { "usedImages", OF_BODY },
	[JSON_NAME_FAULTING_THREAD] = { "faultingThread", OF_BODY },
	[JSON_NAME_PANIC_STRING] = { "panicString", OF_BODY },
	[JSON_NAME_MACOS_PANIC_STRING] = { "macOSPanicString", OF_BODY },
	[JSON_NAME_PROCESS_BY_PID] = { "processByPid", OF_BODY },
	[JSON_NAME_STACKSHOT] = { "stackshot", OF_ANY },
	[JSON_NAME_LARGEST_PROCESS] = { "largestProcess", OF_BODY },
	[JSON_NAME_MEMORY_STATUS] = { "memoryStatus", OF_BODY },
	[JSON_NAME_PROCESSES] = { "processes", OF_ANY },
	[JSON_NAME_TIME_DELTA] = { "timeDelta", OF_ANY },
	[JSON_NAME_CRASH] = { "crash", OF_BODY },
	[JSON_NAME_REPORT] = { "report", OF_BODY },
	[JSON_NAME_RECRASH_REPORT] = { "recrash_report", OF_BODY },
	[JSON_NAME_BINARY_IMAGES] = { "binary_images", OF_ANY },
	[JSON_NAME_APPLE_REPORT] = { "appleReport", OF_BODY },
	[JSON_NAME_CRASH_TIME] = { "crashTime", OF_ANY },
	[JSON_NAME_USER_EXCEPTION] = { "userException", OF_ANY },
	[JSON_NAME_STACK_STRING] = { "stack_string", OF_BODY },
	[JSON_NAME_DUMP_TYPE] = { "dump_type", OF_ANY },
	[JSON_NAME_HEAD] = { "head", OF_ANY },
	[JSON_NAME_CRASH_DIAGNOSTICS] = { "crashDiagnostics", OF_BODY },
	[JSON_NAME_HANG_DIAGNOSTICS] = { "hangDiagnostics", OF_BODY },
	[JSON_NAME_CPU_DIAGNOSTICS] = { "cpuExceptionDiagnostics", OF_BODY },
	[JSON_NAME_DISK_DIAGNOSTICS] = { "diskWriteExceptionDiagnostics",
	                                 OF_BODY },
	[JSON_NAME_LAUNCH_DIAGNOSTICS] = { "appLaunchDiagnostics", OF_BODY },
	[JSON_NAME_CALL_STACK_TREE] = { "callStackTree", OF_BODY },
	[JSON_NAME_CALL_STACK_TREES] = { "callStackTrees", OF_ANY },
	[JSON_NAME_CALL_STACKS] = { "callStacks", OF_BODY },
	[JSON_NAME_DIAGNOSTIC_META_DATA] = { "diagnosticMetaData", OF_ANY },
	[JSON_NAME_SAMPLES] = { "samples", OF_ANY },
	[JSON_NAME_DYLD_IMAGES] = { "dyld_images", OF_ANY },
	[JSON_NAME_STACK] = { "stack", OF_ANY },
	[JSON_NAME_DEPTH] = { "depth", OF_ANY },
	[JSON_NAME_COUNT] = { "count", OF_ANY },
	[JSON_NAME_COST_TIME] = { "costTime", OF_ANY },
	[JSON_NAME_METHOD_ADDRESS] = { "methodAddress", OF_ANY },
	[JSON_NAME_METHOD_ID] = { "methodId", OF_ANY },
	[JSON_NAME_SCHEMA] = { "$schema", OF_ANY },
	[JSON_NAME_TRACE_EVENTS] = { "traceEvents", OF_ANY },
};

/** A value that is being measured. */
struct walk {
	struct text in;
	size_t at;
	size_t depth;
	size_t string_at; ///< where the last string begins
	size_t string_size;
	size_t header_names;
	bool in_string;
	bool is_one_of_many; ///< another report may end it
	struct json_shape found;
};

/** The last string was a name of the outermost object. */
static void see_name(struct walk *walk)
{
	struct text name = text_first(text_after(walk->in, walk->string_at),
	                              walk->string_size);

	if (!walk->found.first_name.size)
		walk->found.first_name = name;
	name = text_first(text_after(name, 1), name.size - 2);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (!text_is(name, names[i].name))
			continue;
		walk->found.names |= UINT64_C(1) << i;
		walk->found.is_body |= names[i].meaning == OF_BODY;
		walk->header_names += names[i].meaning == OF_HEADER;
		return;
	}
}

/**
 * The last character before @p at that is not blank. Asked where something
 * follows that is none: no blanks are passed over twice.
 */
static char last_before(const struct walk *walk, size_t at)
{
	while (at && text_is_space(walk->in.data[at - 1]))
		at--;
	return at ? walk->in.data[at - 1] : '\0';
}

/** May a value follow what is before @p at? */
static bool precedes_value(const struct walk *walk, size_t at)
{
	char c = last_before(walk, at);

	return !walk->in_string && (c == '[' || c == ',' || c == ':');
}

/** A line begins inside the value: does it end the value? */
static bool begins_other(const struct walk *walk)
{
	struct text line = text_after(walk->in, walk->at);
	struct text first = walk->found.first_name;

	if (!line.size || (line.data[0] != '{' && line.data[0] != 'I'))
		return false;
	if (text_starts(line, "Incident Identifier:"))
		return true;
	if (line.data[0] != '{')
		return false;
	if (!precedes_value(walk, walk->at))
		return true;
	// JSON Lines: all begin alike, and no report lies in another one.
	line = text_after(line, 1);
	return first.size && line.size >= first.size &&
	       !memcmp(line.data, first.data, first.size);
}

/** Step over a line end; false where the value ends after it. */
static bool pass_line_end(struct walk *walk)
{
	bool is_cr = walk->in.data[walk->at] == '\r';

	walk->at++;
	if (is_cr && walk->at < walk->in.size &&
	    walk->in.data[walk->at] == '\n')
		walk->at++;
	return !begins_other(walk);
}

/** Where in a string the first byte from @p at on is that says something. */
static size_t string_end(struct text in, size_t at, bool has_lines)
{
	for (; in.size - at >= OCTETS; at += OCTETS) {
		uint64_t word = octets_load(in.data + at);
		uint64_t found = octets_of(word, '"') | octets_of(word, '\\');

		if (has_lines)
			found |= octets_of(word, '\n') | octets_of(word, '\r');
		if (found)
			return at + octets_first(found);
	}
	while (at < in.size && in.data[at] != '"' && in.data[at] != '\\' &&
	       !(has_lines && (in.data[at] == '\n' || in.data[at] == '\r')))
		at++;
	return at;
}

/** Step over a string; false where the value ends inside it. */
static bool pass_string(struct walk *walk)
{
	walk->string_at = walk->at++;
	walk->in_string = true;
	for (;;) {
		char c;

		walk->at = string_end(walk->in, walk->at, walk->is_one_of_many);
		if (walk->at == walk->in.size)
			return false;
		c = walk->in.data[walk->at];
		// No line ends in a string, but consoles' logs are raw.
		if (c == '\n' || c == '\r') {
			if (!pass_line_end(walk))
				return false;
			continue;
		}
		walk->at += c == '\\' && walk->at + 1 < walk->in.size ? 2 : 1;
		if (c == '"')
			break;
	}
	walk->string_size = walk->at - walk->string_at;
	walk->in_string = false;
	return true;
}

/** What a character outside of strings is; 0: it says nothing. */
enum {
	IS_BRACKET = 1, ///< or the beginning of a string
	IS_LINE_END = 2,
	IS_COLON = 4,
};

static const unsigned char kinds[256] = {
	['"'] = IS_BRACKET,   ['{'] = IS_BRACKET, ['}'] = IS_BRACKET,
	['['] = IS_BRACKET,   [']'] = IS_BRACKET, ['\n'] = IS_LINE_END,
	['\r'] = IS_LINE_END, [':'] = IS_COLON,
};

/** Go on to the next character that says something here. */
static void pass_others(struct walk *walk)
{
	const char *data = walk->in.data;
	size_t size = walk->in.size;
	size_t at = walk->at;
	unsigned wanted = IS_BRACKET;

	if (walk->is_one_of_many)
		wanted |= IS_LINE_END;
	if (walk->depth == 1)
		wanted |= IS_COLON;
	for (; at < size; at++) {
		unsigned kind = kinds[(unsigned char)data[at]];

		// Nearly all lines begin with what ends no value.
		if (kind & wanted && (kind != IS_LINE_END || at + 1 == size ||
		                      !text_is_blank(data[at + 1])))
			break;
	}
	walk->at = at;
}

/** Step over a bracket or colon; true at the end of the value. */
static bool pass_mark(struct walk *walk)
{
	char c = walk->in.data[walk->at];

	if (c == '{' || c == '[')
		walk->depth++;
	else if (c == '}' || c == ']')
		walk->depth--;
	else if (walk->string_size && last_before(walk, walk->at) == '"')
		see_name(walk);
	walk->at++;
	return !walk->depth;
}

static struct json_shape look(struct text in, bool is_one_of_many)
{
	struct walk walk = { .in = in, .is_one_of_many = is_one_of_many };
	bool goes_on = text_starts(in, "{") || text_starts(in, "[");

	while (goes_on && !walk.found.complete) {
		char c;

		pass_others(&walk);
		if (walk.at == in.size)
			break;
		c = in.data[walk.at];
		if (c == '"')
			goes_on = pass_string(&walk);
		else if (c == '\n' || c == '\r')
			goes_on = pass_line_end(&walk);
		else
			walk.found.complete = pass_mark(&walk);
	}
	walk.found.size = walk.at;
	walk.found.has_header_names = walk.found.names & JSON_HAS(BUG_TYPE) ||
	                              walk.header_names >= 2;
	walk.found.is_header = walk.found.has_header_names &&
	                       !walk.found.is_body;
	return walk.found;
}

struct json_shape json_shape(struct text in)
{
	return look(in, false);
}

struct json_shape json_shape_in_line(struct text in)
{
	return look(in, true);
}

struct json_shape json_shape_known(struct text in,
                                   const struct json_shape_known *known)
{
	// Where a value is complete, the lines in it have made no difference.
	if (known->data && known->data == in.data &&
	    known->shape.size <= in.size)
		return known->shape;
	return json_shape(in);
}
