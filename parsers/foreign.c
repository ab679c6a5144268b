#include "parsers/foreign.h"

#include <string.h>

// What names a format stands early in it.
#define LOOK_BYTES ((size_t)64 << 10)

/** Not a report at all. */
static struct error *not_a_report(const char *name)
{
	return error_new(ERROR_UNSUPPORTED, "not a crash report, but %s", name);
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
	MAGIC("PK\x03\x04", "a zip archive: unpack it first"),
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
	return foreign_cafebabe(in);
}

/** JSON that holds all of these keys is this; the first match counts. */
static const struct {
	const char *keys[2];
	const char *name;
} json_forms[] = {
	{ { "\"mappings\"", "\"sources\"" }, "a source map" },
	{ { "\"sections\"", "\"version\"" }, "a source map" },
	{ { "\"costTime\"", "\"depth\"" }, "a list of lag nodes" },
	{ { "\"dyld_images\"", NULL }, "a list of images" },
};

static struct error *foreign_json(struct text in)
{
	for (size_t i = 0; i < ARRAY_SIZE(json_forms); i++) {
		const char *const *keys = json_forms[i].keys;

		if (text_find(in, keys[0]) != TEXT_NOWHERE &&
		    (!keys[1] || text_find(in, keys[1]) != TEXT_NOWHERE))
			return other_artefact(json_forms[i].name);
	}
	return not_a_report("JSON of another kind");
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

struct error *foreign_text(struct text in)
{
	in = text_first(text_trim_left(in), LOOK_BYTES);
	if (!in.size)
		return error_new(ERROR_FORMAT, "blank file");
	if (text_find_char(in, '\0') != TEXT_NOWHERE)
		return not_a_report("binary data");
	if (in.data[0] == '{' || in.data[0] == '[')
		return foreign_json(in);
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
	return not_a_report("some other text");
}
