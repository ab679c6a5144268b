// SPDX-License-Identifier: MIT
#include "lib/base/limit.h"
#include "lib/config/file.h"

#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct config_input input = {
		.path = "folder/f.yaml",
		.home = "/home",
		.origin = CONFIG_PROJECT,
	};
	struct text in = { .data = (const char *)data, .size = size };
	struct text subject = text_from("/private/var/Demo.app/Demo");
	struct config config = { 0 };
	struct error *err = config_read_text(&input, in, &config);
	size_t work = LIMIT_DEFAULT_PATTERN_STEPS / 16;

	for (size_t i = 0; !err && i < config.rule_count; i++)
		if (config.rules[i].path.regex)
			regex_match(config.rules[i].path.regex, subject, &work);
	error_free(err);
	config_release(&config);
	return 0;
}
