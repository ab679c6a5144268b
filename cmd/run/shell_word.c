// SPDX-License-Identifier: MIT
#include "cmd/run/shell_word.h"

#include "lib/base/utf8.h"

#include <string.h>

void shell_word_add(struct str *text, const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
	                            "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	                            "0123456789_./+-=:@%,";

	// Otherwise it would be an option.
	if (word[0] == '-' && word[1])
		str_add(text, "./");
	if (word[0] && strcmp(word, "-") != 0 && !word[strspn(word, plain)]) {
		str_add(text, word);
		return;
	}
	str_add_char(text, '\'');
	for (;;) {
		size_t size = strcspn(word, "'");

		utf8_add_visible(text, text_first(text_from(word), size));
		word += size;
		if (!*word)
			break;
		str_add(text, "'\\''");
		word++;
	}
	str_add_char(text, '\'');
}
