#include "parsers/foreign.h"

#include "lib/base/limit.h"
#include "lib/text/json/json.h"
#include "lib/text/json/pull.h"
#include "lib/text/packed.h"
#include "lib/text/tar.h"
#include "parsers/envelope/header.h"
#include "parsers/json/shape.h"
#include "parsers/lag/lag.h"

#include <string.h>

// What identifies a format is near its start.
#define LOOK_BYTES ((size_t)64 << 10)

#define NO_REPORT "not a crash report, but "

/** Not a report at all. */
static struct error *not_a_report(const char *name)
{
	return error_new(ERROR_UNSUPPORTED, NO_REPORT "%s", name);
}

struct error *foreign_reword(struct error *err, const char *instead)
{
	struct text text = text_from(error_message(err));
	struct error *ret;

	if (!text_take(&text, NO_REPORT))
		return err;
	ret = error_new(error_code(err), "%s%.*s", instead, TEXT_ARGS(text));
	error_free(err);
	return ret;
}

/** An artefact of our field that needs another reader. */
static struct error *other_artefact(const char *name)
{
	return error_new(ERROR_UNSUPPORTED, "%s, which apmtool does not read",
	                 name);
}

struct magic {
	const char *bytes;
	size_t size;
	const char *name;
};

#define MAGIC(bytes, name)                     \
	{                                      \
		bytes, sizeof(bytes) - 1, name \
	}

static const struct magic magics[] = {
	MAGIC("\x89PNG\r\n\x1a\n", "a PNG image"),
	MAGIC("\xff\xd8\xff", "a JPEG image"),
	MAGIC("GIF8", "a GIF image"),
	MAGIC("%PDF-", "a PDF document"),
	MAGIC("\x7f"
	      "ELF",
	      "an ELF file"),
	MAGIC("bplist00", "a binary property list"),
	MAGIC("\xcf\xfa\xed\xfe", "a Mach-O file: pass it with --dsym"),
	MAGIC("\xce\xfa\xed\xfe", "a Mach-O file: pass it with --dsym"),
	MAGIC("\xfe\xed\xfa\xcf", "a Mach-O file: pass it with --dsym"),
	MAGIC("\xfe\xed\xfa\xce", "a Mach-O file: pass it with --dsym"),
	MAGIC("\xca\xfe\xba\xbf",
	      "a universal Mach-O file: pass it with --dsym"),
	MAGIC("BC\xc0\xde", "LLVM bitcode"),
	MAGIC("\xde\xc0\x17\x0b", "LLVM bitcode"),
	MAGIC("\xe5\xd1\x0b\xfb", "a React Native bundle"),
	MAGIC("\xc6\x1f\xbc\x03\xc1\x03\x19\x1f", "Hermes bytecode"),
	MAGIC("{\\rtf", "an RTF document"),
};

/**
 * Java classes have the magic number of universal files; where those count
 * their slices, a class has its version, which is 45 at least.
 */
static struct error *foreign_cafebabe(struct bytes in)
{
	struct cursor cursor = cursor_at(in, 0, CURSOR_BIG);

	if (cursor_u32(&cursor) != 0xcafebabe)
		return NULL;
	if (cursor_u32(&cursor) < 43)
		return not_a_report(
		        "a universal Mach-O file: pass it with --dsym");
	return not_a_report("a Java class");
}

struct error *foreign_binary(struct bytes in)
{
	struct text text = bytes_text(in);

	for (size_t i = 0; i < ARRAY_SIZE(magics); i++) {
		const struct magic *magic = &magics[i];

		if (text.size >= magic->size &&
		    !memcmp(text.data, magic->bytes, magic->size))
			return not_a_report(magic->name);
	}
	if (packed_unread_name(in))
		return error_new(ERROR_UNSUPPORTED,
		                 NO_REPORT "%s: unpack it first",
		                 packed_unread_name(in));
	if (tar_is(in))
		return not_a_report("a tar archive: unpack it first");
	return foreign_cafebabe(in);
}

static bool has(struct text in, const char *key)
{
	return text_find(in, key) != TEXT_NOWHERE;
}

/** JSON that holds all of these keys is this; the first match counts. */
static const struct {
	const char *keys[3];
	const char *name;
} json_formats[] = {
	{ { "\"mappings\"", "\"sources\"", "\"version\"" }, "a source map" },
	{ { "\"sections\"", "\"offset\"", "\"map\"" }, "a source map" },
	{ { "\"sections\"", "\"offset\"", "\"url\"" }, "a source map" },
	{ { "\"meta\"", "\"preprocessedProfileVersion\"", "\"threads\"" },
	  "a profile of Firefox" },
	{ { "\"$schema\"", "speedscope.app/", "\"name\"" },
	  "a profile of speedscope" },
	{ { "\"traceEvents\"", "\"ph\"", "\"ts\"" }, "a trace of Chrome" },
};

#define OWN "output of apmtool itself: give the original report"

/** How profiles for other tools say that we wrote them. */
static const char *const own_marks[] = {
	"\"exporter\":\"apmtool ",
	"\"importedFrom\":\"apmtool ",
};

/** JSON of apmtool itself, which quotes what it was made from. */
static struct error *foreign_own(struct text in)
{
	in = text_first(in, LOOK_BYTES);
	if (has(in, "\"apmtool.table/1\"") && has(in, "\"crash-groups\""))
		return not_a_report("a table of 'apmtool group', which "
		                    "'apmtool diff' compares with reports or "
		                    "another");
	return not_a_report(OWN);
}

struct error *foreign_tool(struct text in)
{
	if (json_is_own(in))
		return foreign_own(in);
	in = text_first(in, LOOK_BYTES);
	for (size_t i = 0; i < ARRAY_SIZE(own_marks); i++)
		if (has(in, own_marks[i]))
			return not_a_report("a profile, " OWN);
	for (size_t i = 0; i < ARRAY_SIZE(json_formats); i++) {
		const char *const *keys = json_formats[i].keys;

		if (has(in, keys[0]) && has(in, keys[1]) && has(in, keys[2]))
			return other_artefact(json_formats[i].name);
	}
	return NULL;
}

/** What other commands read; NULL: nor do they. */
static struct error *foreign_lag(struct text in)
{
	switch (lag_format_of(in)) {
	case LAG_FORMAT_COLLAPSED:
		return not_a_report(
		        "collapsed stacks: 'apmtool fold' reads them");
	case LAG_FORMAT_DOCUMENTS:
	case LAG_FORMAT_LINES:
		if (has(in, "\"samples\"") || has(in, "\"stack\""))
			return not_a_report("lag samples: 'apmtool "
			                    "lag-aggregate' reads them");
		if (has(in, "\"depth\""))
			return not_a_report("a list of lag nodes: 'apmtool "
			                    "lag-aggregate' reads it");
		break;
	case LAG_FORMAT_IMAGES:
		break;
	case LAG_FORMAT_NONE:
		return NULL;
	}
	// `[]` is neither.
	return has(in, "dyld_images")
	               ? not_a_report("a list of images: 'apmtool "
	                              "lag-aggregate' takes it with --images")
	               : NULL;
}

/** The header line of an `.ips` file that was cut before its end. */
static struct error *foreign_cut_header(struct text in)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	SCOPED(json_doc_drop) struct json_doc *doc = NULL;
	SCOPED(error_drop) struct error *err = NULL;
	struct ips_header header;
	const char *name;
	size_t used;

	// A longer line is none of a header, wherever it ends.
	if (in.size >= IPS_HEADER_LINE_MAX ||
	    text_find_char(text_trim_right(in), '\n') != TEXT_NOWHERE)
		return NULL;
	err = json_parse(in, &used, &doc);
	if (err || !json_truncated(doc) ||
	    (!ips_header_is(json_root(doc)) &&
	     !text_starts(in, "{\"app_name\"")))
		return NULL;
	header = ips_header_read(json_root(doc), &arena);
	name = header.app_name ? header.app_name : header.name;
	return error_new(ERROR_FORMAT,
	                 "a truncated .ips file: it ends inside its header "
	                 "line%s%s%s%s, and the report is missing",
	                 name ? ", which is of " : "", name ? name : "",
	                 name && header.timestamp ? " at " : "",
	                 name && header.timestamp ? header.timestamp : "");
}

/** Where JSON breaks, or ends; NULL if it does not. */
static struct error *foreign_broken_json(struct text in)
{
	SCOPED(json_pull_drop) struct json_pull *pull = json_pull_new(in, 0);
	SCOPED(error_drop) struct error *err = NULL;

	json_pull_limit(pull, limit_get(LIMIT_JSON_DEPTH));
	while (json_pull_next(pull)->type != JSON_EVENT_DONE)
		;
	err = json_pull_take_error(pull);
	if (err)
		return error_new(ERROR_UNSUPPORTED, NO_REPORT "broken JSON: %s",
		                 error_message(err));
	return json_pull_truncated(pull) ? not_a_report("truncated JSON of an "
	                                                "unknown kind")
	                                 : NULL;
}

/** @param whole  All of it: what is wrong may be far down. */
static struct error *foreign_json(struct text in, struct text whole)
{
	struct error *err = foreign_cut_header(in);

	if (err)
		return err;
	err = foreign_tool(in);
	if (!err)
		err = foreign_lag(in);
	if (!err)
		err = foreign_broken_json(whole);
	return err ? err : not_a_report("JSON of an unknown kind");
}

static struct error *foreign_markup(struct text in)
{
	if (text_find(in, "<plist") != TEXT_NOWHERE)
		return not_a_report("an XML property list");
	if (text_find(in, "<html") != TEXT_NOWHERE ||
	    text_find(in, "<HTML") != TEXT_NOWHERE)
		return not_a_report("an HTML page");
	return not_a_report("an XML file");
}

/**
 * How sources, manuals and patches begin, whose examples look like reports; no
 * report does, nor what people write above one.
 */
static const struct {
	const char *begins;
	const char *holds; ///< in the same line; NULL: anything
	const char *name;
} sources[] = {
	// Those of a shell are also what logs of CI jobs begin with.
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

struct error *foreign_source(struct text in)
{
	struct text line;

	if (json_is_own(in))
		return foreign_own(in);
	in = text_trim_left(text_first(in, LOOK_BYTES));
	if (!text_next_line(&in, &line))
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(sources); i++)
		if (text_starts(line, sources[i].begins) &&
		    (!sources[i].holds || has(line, sources[i].holds)))
			return not_a_report(sources[i].name);
	return NULL;
}

struct error *foreign_text(struct text in)
{
	struct text whole = in;
	struct error *err;

	in = text_first(text_trim_left(in), LOOK_BYTES);
	if (!in.size)
		return error_new(ERROR_FORMAT, "blank file");
	if (text_find_char(in, '\0') != TEXT_NOWHERE)
		return not_a_report("binary data");
	if (in.data[0] == '{' || in.data[0] == '[')
		return foreign_json(in, whole);
	if (text_starts(in, ")]}'"))
		return other_artefact("a source map");
	if (text_starts(in, "<?xml") || text_starts(in, "<!DOCTYPE") ||
	    text_starts(in, "<!doctype") || text_starts(in, "<html"))
		return foreign_markup(in);
	if (text_starts(in, "BCSymbolMap Version:"))
		return not_a_report("a BCSymbolMap");
	if (text_starts(in, "1 {\"type\":") &&
	    text_find(in, "\n2 {\"pc\":") != TEXT_NOWHERE)
		return other_artefact("a log of ImpactMeter");
	if (text_find(in, "Unhandled JS Exception:") != TEXT_NOWHERE)
		return other_artefact("a JavaScript stack");
	err = foreign_lag(in);
	return err ? err : not_a_report("text of an unknown kind");
}
