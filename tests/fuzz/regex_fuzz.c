// SPDX-License-Identifier: MIT
#include "lib/base/cursor.h"
#include "lib/base/limit.h"
#include "lib/text/regex.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/** The first line is the pattern, or a glob; what follows is the subject. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct text subject = { .data = (const char *)data, .size = size };
	struct text pattern = TEXT_NONE;
	size_t work = LIMIT_DEFAULT_PATTERN_STEPS / 16;

	text_next_line(&subject, &pattern);
	for (int is_glob = 0; is_glob < 2; is_glob++) {
		struct regex *regex = NULL;
		struct error *err =
		        is_glob ? regex_compile_glob(pattern, &regex)
		                : regex_compile(pattern, &regex);

		if (!err)
			regex_match(regex, subject, &work);
		regex_free(regex);
		error_free(err);
	}
	return 0;
}
