// SPDX-License-Identifier: MIT
#include "lib/analysis/crash/group/headline.h"

#include "lib/base/text.h"

#include <inttypes.h>
#include <string.h>

#define BETWEEN " | "

void crash_headline_add(struct str *out, const char *signature,
                        const char *file, uint32_t line)
{
	struct text rest = text_from(signature);
	size_t at = text_find(rest, BETWEEN);

	str_add_text(out, text_first(rest, at));
	if (at != TEXT_NOWHERE) {
		rest = text_after(rest, at + strlen(BETWEEN));
		str_add(out, " in ");
		str_add_text(out, text_first(rest, text_find(rest, BETWEEN)));
	}
	if (!file)
		return;
	str_addf(out, " (%s", text_base_cstr(file));
	if (line)
		str_addf(out, ":%" PRIu32, line);
	str_add_char(out, ')');
}
