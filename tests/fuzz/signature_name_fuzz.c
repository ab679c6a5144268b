// SPDX-License-Identifier: MIT
#include "lib/analysis/crash/signature/name.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const enum signature_style styles[] = {
		SIGNATURE_STYLE_APM,
		SIGNATURE_STYLE_SOCORRO,
	};
	struct text in = { .data = (const char *)data, .size = size };

	for (size_t i = 0; i < ARRAY_SIZE(styles); i++) {
		SCOPED(str_release) struct str name = { 0 };

		str_add(&name, "before");
		signature_name_add(in, styles[i], &name);
		// It is no longer than what was read, and leaves what was
		// there.
		if (name.size > size + sizeof("before closure block") ||
		    !text_starts(str_text(&name), "before"))
			abort();
	}
	signature_is_unnamed(in);
	return 0;
}
