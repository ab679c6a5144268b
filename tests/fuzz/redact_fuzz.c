// SPDX-License-Identifier: MIT
/* Text to be redacted, in every manner; redacting it again finds pseudonyms. */
#include "lib/model/redact/text.h"

#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const own[] = { "Demo", NULL };
	SCOPED(arena_release) struct arena arena = { 0 };
	struct text in = { .data = (const char *)data, .size = size };
	struct redactor redactor;
	const char *text = arena_text(&arena, in);

	redactor_init_key(&redactor, text_from("0123456789abcdef"));
	redactor_know(&redactor, "dir/a.ips");
	redactor_sort(&redactor);
	for (unsigned manner = 0; manner <= REDACT_VERSION; manner++)
		redact_text(&redactor, text, manner, &arena);
	redact_lines(&redactor, redact_lines(&redactor, text, own, &arena), own,
	             &arena);
	redact_message(&redactor, text, &arena);
	redact_process(&redactor, text, own, &arena);
	redactor_release(&redactor);
	return 0;
}
