// SPDX-License-Identifier: MIT
#include "lib/base/mem.h"
#include "lib/cli/options.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define ARGS_MAX 64

struct settings {
	bool flag;
	bool dashed;
	const char *text;
	struct option_list list;
	uint64_t hex;
	bool has_hex;
	unsigned count;
	unsigned choice;
};

static const struct option options[] = {
	OPT_FLAG('i', "inline", struct settings, flag, "a flag"),
	OPT_SINGLE_DASH(OPTION_FLAG, 0, "fullPath", struct settings, dashed,
	                NULL, "a flag with one dash"),
	OPT_TEXT('o', "output", struct settings, text, "<file>", "a text"),
	OPT_LIST('d', "dsym", struct settings, list, "<path>", "a list"),
	OPT_HEX('l', NULL, struct settings, hex, has_hex, "<address>", "hex"),
	OPT_UINT('n', "top", struct settings, count, 1, 99, "<count>",
	         "a number"),
	OPT_CHOICE(0, "format", struct settings, choice, "text|json", "a name"),
	OPT_END,
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	SCOPED(mem_drop) char *words = mem_strndup((const char *)data, size);
	struct settings settings = { 0 };
	char *args[ARGS_MAX];
	size_t operand_count;
	int count = 0;

	// Arguments are parted by NUL, as in /proc/PID/cmdline.
	for (size_t at = 0; at < size && count < ARGS_MAX; count++) {
		args[count] = words + at;
		at += text_from(words + at).size + 1;
	}
	error_free(
	        options_parse(options, count, args, &settings, &operand_count));
	options_release(options, &settings);
	return 0;
}
