// SPDX-License-Identifier: MIT
#include "parsers/input/found.h"

#include "lib/base/str.h"
#include "lib/darwin/bug_types.h"
#include "lib/darwin/headline.h"
#include "lib/text/archive.h"
#include "lib/text/json/json.h"
#include "lib/text/json/pull.h"
#include "lib/text/tar.h"
#include "parsers/envelope/header.h"
#include "parsers/json/shape.h"

#include <string.h>

// Formats are identified near the start.
#define LOOK_BYTES ((size_t)64 << 10)

/** Kinds of inputs, and advice for each. */
static const struct {
	enum yields yields;
	const char *name;
	const char *hint;
} kinds[] = {
	{ YIELDS_SESSIONS, "a last-session record",
	  "see 'apmtool exit-reason'" },
	{ YIELDS_REPORTS, "a crash report", "see 'apmtool symbolicate'" },
	{ YIELDS_JETSAM, "a jetsam log", "see 'apmtool jetsam'" },
	{ YIELDS_MEMORY, "a record of a memory limit", "see 'apmtool jetsam'" },
	{ YIELDS_SAMPLES, "samples", "see 'apmtool lag-aggregate'" },
	{ YIELDS_STACKS, "collapsed stacks", "see 'apmtool fold'" },
	{ YIELDS_GROUPS, "a table of 'apmtool group'", "see 'apmtool diff'" },
	{ YIELDS_DIFFERENCES, "the difference of two profiles",
	  "read the profiles themselves" },
};

/** `not a crash report`, `neither a last-session record nor a jetsam log`. */
static void add_wants(struct str *text, unsigned wants)
{
	bool is_one = !(wants & (wants - 1));
	const char *word = is_one ? "not" : "neither";

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		if (!(wants & kinds[i].yields))
			continue;
		str_addf(text, "%s %s", word, kinds[i].name);
		word = " nor";
	}
}

/** Append its name and advice, or those of the first kind it yields. */
static void add_kind(struct str *text, const struct found *found,
                     unsigned wants)
{
	size_t i = 0;

	while (i < ARRAY_SIZE(kinds) && !(found->yields & kinds[i].yields))
		i++;
	str_add(text, found->name ? found->name : kinds[i].name);
	if (found->is_unknown && wants & YIELDS_SAMPLES)
		str_add(text, ": apmtool-formats(5) describes what is read");
	else if (found->hint || i < ARRAY_SIZE(kinds))
		str_addf(text, ": %s",
		         found->hint ? found->hint : kinds[i].hint);
}

bool found_is_known(const struct found *found)
{
	return found->name || found->yields;
}

struct error *found_refuse(const struct found *found, unsigned wants)
{
	SCOPED(str_release) struct str text = { 0 };

	if (found->is_fault)
		return error_new(ERROR_FORMAT, "%s", found->name);
	add_wants(&text, wants);
	str_add(&text, ", but ");
	add_kind(&text, found, wants);
	return error_new(ERROR_UNSUPPORTED, "%s", str_cstr(&text));
}

/** Of another kind than any of ours. */
static struct found named(const char *name)
{
	return (struct found){ .name = name };
}

static struct found hinted(const char *name, const char *hint)
{
	return (struct found){ .name = name, .hint = hint };
}

static struct found unknown(const char *name)
{
	return (struct found){ .name = name, .is_unknown = true };
}

static struct found fault(const char *name)
{
	return (struct found){ .name = name, .is_fault = true };
}

/** An artefact of our field that needs another reader. */
#define NOT_READ ", which apmtool does not read"

// Bytes

#define WITH_DSYM "pass it with --dsym"

struct magic {
	const char *bytes;
	size_t size;
	const char *name;
	const char *hint;
};

#define MAGIC(bytes, name, ...)                             \
	{                                                   \
		bytes, sizeof(bytes) - 1, name, __VA_ARGS__ \
	}

static const struct magic magics[] = {
	MAGIC("\x89PNG\r\n\x1a\n", "a PNG image", NULL),
	MAGIC("\xff\xd8\xff", "a JPEG image", NULL),
	MAGIC("GIF8", "a GIF image", NULL),
	MAGIC("%PDF-", "a PDF document", NULL),
	MAGIC("\x7f"
	      "ELF",
	      "an ELF file", NULL),
	MAGIC("bplist00", "a binary property list", NULL),
	MAGIC("\xcf\xfa\xed\xfe", "a Mach-O file", WITH_DSYM),
	MAGIC("\xce\xfa\xed\xfe", "a Mach-O file", WITH_DSYM),
	MAGIC("\xfe\xed\xfa\xcf", "a Mach-O file", WITH_DSYM),
	MAGIC("\xfe\xed\xfa\xce", "a Mach-O file", WITH_DSYM),
	MAGIC("\xca\xfe\xba\xbf", "a universal Mach-O file", WITH_DSYM),
	MAGIC("BC\xc0\xde", "LLVM bitcode", NULL),
	MAGIC("\xde\xc0\x17\x0b", "LLVM bitcode", NULL),
	MAGIC("\xe5\xd1\x0b\xfb", "a React Native bundle", NULL),
	MAGIC("\xc6\x1f\xbc\x03\xc1\x03\x19\x1f", "Hermes bytecode", NULL),
	MAGIC("{\\rtf", "an RTF document", NULL),
};

/**
 * Java classes have the magic number of universal files; at the position of the
 * number of slices they have a version, which is at least 45.
 */
static struct found found_cafebabe(struct bytes in)
{
	struct cursor cursor = cursor_at(in, 0, CURSOR_BIG);

	if (cursor_u32(&cursor) != 0xcafebabe)
		return named(NULL);
	if (cursor_u32(&cursor) < 43)
		return hinted("a universal Mach-O file", WITH_DSYM);
	return named("a Java class");
}

static bool is_all_nul(struct bytes in)
{
	return !in.data[0] && !memcmp(in.data, in.data + 1, in.size - 1);
}

struct found found_binary(struct bytes in)
{
	struct text text = bytes_text(in);

	if (is_all_nul(in))
		return fault("a file of NUL bytes only");
	for (size_t i = 0; i < ARRAY_SIZE(magics); i++) {
		const struct magic *magic = &magics[i];

		if (text.size >= magic->size &&
		    !memcmp(text.data, magic->bytes, magic->size))
			return hinted(magic->name, magic->hint);
	}
	if (archive_unread_name(in))
		return hinted(archive_unread_name(in), "unpack it first");
	if (tar_is(in))
		return hinted("a tar archive", "unpack it first");
	return found_cafebabe(in);
}

// Text

static bool has(struct text in, const char *key)
{
	return text_find(in, key) != TEXT_NOWHERE;
}

/** JSON with all of these keys; the first match wins. */
static const struct {
	const char *keys[3];
	const char *name;
} json_formats[] = {
	{ { "\"mappings\"", "\"sources\"", "\"version\"" },
	  "a source map" NOT_READ },
	{ { "\"sections\"", "\"offset\"", "\"map\"" },
	  "a source map" NOT_READ },
	{ { "\"sections\"", "\"offset\"", "\"url\"" },
	  "a source map" NOT_READ },
	{ { "\"meta\"", "\"preprocessedProfileVersion\"", "\"threads\"" },
	  "a profile of Firefox" NOT_READ },
	{ { "\"$schema\"", "speedscope.app/", "\"name\"" },
	  "a profile of speedscope" NOT_READ },
	{ { "\"metaData\"", "\"appBuildVersion\"", "Metrics\":{" },
	  "metrics of MetricKit (MXMetricPayload)" NOT_READ },
	{ { "\"traceEvents\"", "\"ph\"", "\"ts\"" },
	  "a trace of Chrome" NOT_READ },
};

/** Marks of apmtool in profiles for other tools. */
static const char *const own_marks[] = {
	"\"exporter\":\"apmtool ",
	"\"importedFrom\":\"apmtool ",
};

/** JSON of apmtool itself, which quotes its input. */
static struct found found_own(struct text in)
{
	in = text_first(in, LOOK_BYTES);
	if (has(in, "\"apmtool.table/1\"") && has(in, "\"crash-groups\""))
		return (struct found){ .yields = YIELDS_GROUPS };
	return hinted("output of apmtool itself", "give the original report");
}

/** JSON that apmtool or another tool wrote for a third. */
static struct found found_tool(struct text in)
{
	if (json_is_own(in))
		return found_own(in);
	in = text_first(in, LOOK_BYTES);
	for (size_t i = 0; i < ARRAY_SIZE(own_marks); i++)
		if (has(in, own_marks[i]))
			return hinted("a profile that apmtool wrote",
			              "give the original samples");
	for (size_t i = 0; i < ARRAY_SIZE(json_formats); i++) {
		const char *const *keys = json_formats[i].keys;

		if (has(in, keys[0]) && has(in, keys[1]) && has(in, keys[2]))
			return named(json_formats[i].name);
	}
	return named(NULL);
}

/** A list of images without anything that they belong to. */
static bool is_image_list(struct text in)
{
	return has(in, "dyld_images") && !has(in, "\"samples\"") &&
	       !has(in, "\"stack\"") && !has(in, "\"depth\"");
}

/** The truncated header line of an `.ips` file. */
static struct found found_cut_header(struct text in, struct arena *arena)
{
	SCOPED(json_doc_drop) struct json_doc *doc = NULL;
	SCOPED(error_drop) struct error *err = NULL;
	struct ips_header header;
	const char *name;
	size_t used;

	// A longer line cannot be a header.
	if (in.size >= IPS_HEADER_LINE_MAX ||
	    text_find_char(text_trim_right(in), '\n') != TEXT_NOWHERE)
		return named(NULL);
	err = json_parse(in, &used, &doc);
	if (err || !json_truncated(doc) ||
	    (!ips_header_is(json_root(doc)) &&
	     !text_starts(in, "{\"app_name\"")))
		return named(NULL);
	header = ips_header_read(json_root(doc), arena);
	name = header.app_name ? header.app_name : header.name;
	return fault(
	        arena_printf(arena,
	                     "a truncated .ips file: it ends inside its header "
	                     "line%s%s%s%s, "
	                     "and the report is missing",
	                     name ? ", which is of " : "", name ? name : "",
	                     name && header.timestamp ? " at " : "",
	                     name && header.timestamp ? header.timestamp : ""));
}

/** Describe the fault of unknown JSON. */
static struct found found_json(struct text in, struct arena *arena)
{
	SCOPED(json_pull_drop) struct json_pull *pull = json_pull_new(in, 0);
	SCOPED(error_drop) struct error *err = NULL;

	json_pull_limit(pull);
	while (json_pull_next(pull)->type != JSON_EVENT_DONE)
		;
	err = json_pull_take_error(pull);
	if (err)
		return hinted("broken JSON",
		              arena_strdup(arena, error_message(err)));
	return unknown(json_pull_truncated(pull)
	                       ? "truncated JSON of an unknown kind"
	                       : "JSON of an unknown kind");
}

static struct found found_markup(struct text in)
{
	if (has(in, "<plist"))
		return named("an XML property list");
	if (has(in, "<html") || has(in, "<HTML"))
		return named("an HTML page");
	return named("an XML file");
}

/**
 * Starts of sources, manuals and patches, whose examples look like reports; no
 * report, and no text above a report, begins like this.
 */
static const struct {
	const char *begins;
	const char *holds; ///< also on that line; or NULL
	const char *name;
} sources[] = {
	// Scripts of a shell are missing: logs of CI jobs begin the same.
	{ "#!", "python", "a Python script" },
	{ "#!", "perl", "a Perl script" },
	{ "#!", "ruby", "a Ruby script" },
	{ "#!", "node", "a JavaScript" },
	{ "\"\"\"", NULL, "a Python source" },
	{ "import ", NULL, "a program's source" },
	{ "from ", " import ", "a Python source" },
	{ "#include ", NULL, "a C source" },
	{ "#import ", NULL, "an Objective-C source" },
	{ "#ifndef ", NULL, "a C header" },
	{ "#pragma once", NULL, "a C header" },
	{ "/*", NULL, "a program's source" },
	{ ".\\\"", NULL, "a manual page" },
	{ ".Dd ", NULL, "a manual page" },
	{ ".TH ", NULL, "a manual page" },
	{ "diff --git ", NULL, "a patch" },
};

struct found found_source(struct text in)
{
	struct text line;

	if (json_is_own(in))
		return found_own(in);
	in = text_trim_left(text_first(in, LOOK_BYTES));
	if (!text_next_line(&in, &line))
		return named(NULL);
	for (size_t i = 0; i < ARRAY_SIZE(sources); i++)
		if (text_starts(line, sources[i].begins) &&
		    (!sources[i].holds || has(line, sources[i].holds)))
			return named(sources[i].name);
	return named(NULL);
}

/** `[net] started`: a console has words in brackets, too. */
static bool is_after_brackets(struct text in)
{
	struct text line = text_first(in, text_find_char(in, '\n'));
	size_t end = text_find_char(line, ']');

	if (!text_starts(in, "[") || end == TEXT_NOWHERE)
		return false;
	line = text_trim(text_after(line, end + 1));
	return line.size && !(line.data[0] && strchr(",]}", line.data[0]));
}

/** JSON with a fault may begin with an unquoted name. */
static bool is_json(struct text in)
{
	struct headline headline = { 0 };

	if (is_after_brackets(in))
		return false;
	return json_begins(in) ||
	       ((text_starts(in, "{") || text_starts(in, "[")) &&
	        !log_prefix_of(in).size && !headline_find(in, &headline));
}

static bool is_empty_array(struct text in)
{
	return text_take(&in, "[") && text_is(text_trim(in), "]");
}

/** Lines of other failures, with their names; the first match counts. */
static const struct {
	const char *holds[2];
	const char *name;
} other_failures[] = {
	{ { "Traceback (most recent call last):", NULL },
	  "a Python traceback" NOT_READ },
	{ { "FATAL EXCEPTION: ", "\tat " }, "a Java stack trace" NOT_READ },
	{ { "\tat ", ".java:" }, "a Java stack trace" NOT_READ },
	{ { "\tat ", ".kt:" }, "a Java stack trace" NOT_READ },
	{ { "PHP Fatal error: ", NULL }, "an error of PHP" NOT_READ },
	{ { ": fatal error: ", NULL }, "the output of a compiler" NOT_READ },
	{ { "fatal error: too many errors emitted", NULL },
	  "the output of a compiler" NOT_READ },
};

static struct found found_failure(struct text in)
{
	for (size_t i = 0; i < ARRAY_SIZE(other_failures); i++) {
		const char *const *holds = other_failures[i].holds;

		if (has(in, holds[0]) && (!holds[1] || has(in, holds[1])))
			return named(other_failures[i].name);
	}
	return named(NULL);
}

struct found found_text(struct text in, struct arena *arena)
{
	struct found cut = named(NULL);

	in = text_first(text_trim_left(in), LOOK_BYTES);
	if (!in.size)
		return fault("blank file");
	if (text_find_char(in, '\0') != TEXT_NOWHERE)
		return named("binary data");
	if (is_image_list(in))
		return hinted("a list of images",
		              "give it to 'apmtool lag-aggregate' with "
		              "--images");
	if (is_empty_array(in))
		return named("an empty list");
	if (is_json(in))
		cut = found_cut_header(in, arena);
	if (is_json(in))
		return found_is_known(&cut) ? cut : found_tool(in);
	if (text_starts(in, ")]}'"))
		return named("a source map" NOT_READ);
	if (text_starts(in, "<?xml") || text_starts(in, "<!DOCTYPE") ||
	    text_starts(in, "<!doctype") || text_starts(in, "<html"))
		return found_markup(in);
	if (text_starts(in, "BCSymbolMap Version:"))
		return named("a BCSymbolMap");
	if (text_starts(in, "1 {\"type\":") && has(in, "\n2 {\"pc\":"))
		return named("a log of ImpactMeter" NOT_READ);
	if (has(in, "Crashlytics - ") && has(in, "Platform: android"))
		return named("an Android report of Crashlytics" NOT_READ);
	if (has(in, "Unhandled JS Exception:"))
		return named("a JavaScript stack" NOT_READ);
	return found_failure(in);
}

struct found found_unknown(struct text in, struct arena *arena)
{
	if (is_json(text_trim_left(in)))
		return found_json(in, arena);
	return unknown("text of an unknown kind");
}

/** Lines of the kernel about memory: whom they name. */
static struct found found_kill(const struct report *report, struct arena *arena)
{
	const char *text = report_section(report, "Headline");
	struct headline headline = { 0 };

	if (!text || !headline_find(text_from(text), &headline) ||
	    headline.kind != HEADLINE_MEMORY_KILL)
		return named(NULL);
	return hinted(arena_printf(arena,
	                           "a log in which the kernel says of '%.*s': "
	                           "%.*s",
	                           TEXT_ARGS(headline.prefix.process),
	                           TEXT_ARGS(headline.reason)),
	              "see 'apmtool explain'");
}

struct found found_report(const struct report *report, struct arena *arena)
{
	const char *kind = report->kind;
	struct found kill = found_kill(report, arena);

	if (report->jetsam)
		return (struct found){ .yields = YIELDS_JETSAM };
	if (report_is_memory_record(report))
		return (struct found){ .yields = YIELDS_MEMORY };
	if (found_is_known(&kill))
		return kill;
	return (struct found){
		.name = report->bug_type
		                ? bug_type_describe(report->bug_type, arena)
		        : kind ? arena_printf(arena, "%s%s",
		                              bug_type_article(kind), kind)
		               : NULL,
		.yields = YIELDS_REPORTS,
	};
}
