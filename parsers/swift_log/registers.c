// SPDX-License-Identifier: MIT
#include "parsers/swift_log/registers.h"

#include "lib/base/number.h"
#include "parsers/text/thread_state.h"

#define NAME_BYTES 8

/**
 * Remove `rax 0x…` from the front; older logs have a colon after some names.
 */
static bool take_register(struct text *rest, struct text *name, uint64_t *value)
{
	struct text left = text_trim_left(*rest);
	size_t size = 0;

	while (size < left.size && text_is_alnum(left.data[size]))
		size++;
	if (!size || size > NAME_BYTES || !text_is_letter(left.data[0]))
		return false;
	*name = text_first(left, size);
	left = text_after(left, size);
	text_take(&left, ":");
	if (!text_take(&left, " 0x"))
		return false;
	for (size = 0; size < left.size && text_is_hex_digit(left.data[size]);)
		size++;
	if (!number_hex(text_first(left, size), value) ||
	    (size < left.size && !text_is_blank(left.data[size]) &&
	     left.data[size] != ')'))
		return false;
	*rest = text_after(left, size);
	return true;
}

bool swift_register_line(struct text line, struct arena *arena,
                         struct report_thread_state *state)
{
	struct text name;
	uint64_t value;

	if (!take_register(&line, &name, &value))
		return false;
	do {
		if (state)
			thread_state_add(state, arena, name, value);
	} while (take_register(&line, &name, &value));
	return true;
}
