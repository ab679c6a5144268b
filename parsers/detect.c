#include "parsers/detect.h"

#include "parsers/foreign.h"

#include <string.h>

const struct parser *const parsers[] = {
#define PARSER(name, file) &name##_parser,
#include "parsers/parsers.def"
#undef PARSER
	NULL,
};

static bool is_all_nul(struct bytes in)
{
	return !in.data[0] && !memcmp(in.data, in.data + 1, in.size - 1);
}

/** The first parser, of binary formats or of text, that knows this. */
static const struct parser *find(const struct envelope *in, bool is_binary)
{
	for (size_t i = 0; parsers[i]; i++)
		if (parsers[i]->is_binary == is_binary && parsers[i]->sniff(in))
			return parsers[i];
	return NULL;
}

struct error *detect_binary(const struct envelope *in,
                            const struct parser **ret)
{
	struct bytes bytes = bytes_from_text(in->text);

	// A directory may hold such files: `.gitkeep` is one.
	if (!bytes.size)
		return error_new(ERROR_UNSUPPORTED, "empty file");
	if (is_all_nul(bytes))
		return error_new(ERROR_FORMAT,
		                 "not a crash report, but NUL bytes only");
	*ret = find(in, true);
	return *ret ? NULL : foreign_binary(bytes);
}

struct error *detect_text(const struct envelope *in, const struct parser **ret)
{
	*ret = find(in, false);
	return *ret ? NULL : foreign_text(in->text);
}
