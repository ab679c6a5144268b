// SPDX-License-Identifier: MIT
#include "cmd/run/copied.h"

#include "lib/base/utf8.h"

void copied_visible(struct str *to, struct text text)
{
	while (text.size) {
		size_t plain = utf8_find_hidden(text, 0);
		uint32_t c;
		size_t hidden = utf8_decode(text, plain, &c);

		str_add_text(to, text_first(text, plain));
		text = text_after(text, plain);
		if (!hidden)
			hidden = 1;
		utf8_add_visible(to, text_first(text, hidden));
		text = text_after(text, hidden);
	}
}

void copied_add(struct out *out, struct text text, bool on_terminal)
{
	SCOPED(str_release) struct str shown = { 0 };

	if (!on_terminal) {
		if (text.size)
			out_add_bytes(out, text.data, text.size);
		return;
	}
	copied_visible(&shown, text);
	if (shown.size)
		out_add_bytes(out, shown.data, shown.size);
}
