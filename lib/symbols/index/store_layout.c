// SPDX-License-Identifier: MIT
#include "lib/symbols/index/store_layout.h"

#include "lib/base/text.h"

/**
 * Paths in the store: `@` is the next digit of the UUID in lower case, `#` in
 * upper case; `*` is the remaining digits in lower case.
 */
static const char *const layouts[] = {
	[STORE_DEBUG_INFO] = "@@/*/debuginfo",
	[STORE_EXECUTABLE] = "@@/*/executable",
	[STORE_LLDB] = "####/####/####/####/####/############",
	[STORE_SYMBOL_SERVER] = "_.dwarf/mach-uuid-sym-*/_.dwarf",
	[STORE_MAP] = "@@/*/bcsymbolmap",
	[STORE_UUID_MAP] = "@@/*/uuidmap",
	[STORE_DIRECTORY] = "@@/*",
};

static char lower(char digit)
{
	return digit >= 'A' && digit <= 'F' ? (char)(digit - 'A' + 'a') : digit;
}

/** The 32 digits, without dashes. */
static void add_digits(const struct uuid *uuid, struct str *out)
{
	char text[UUID_TEXT_SIZE];

	for (const char *at = uuid_format(uuid, text); *at; at++)
		if (*at != '-')
			str_add_char(out, *at);
}

void store_layout_add(const char *store, const struct uuid *uuid,
                      enum store_file file, struct str *out)
{
	SCOPED(str_release) struct str digits = { 0 };
	const char *layout = layouts[file];
	size_t next = 0;

	add_digits(uuid, &digits);
	str_add(out, store);
	str_add_char(out, '/');
	for (; *layout; layout++) {
		if (*layout == '*')
			while (next < digits.size)
				str_add_char(out, lower(digits.data[next++]));
		else if (*layout == '@')
			str_add_char(out, lower(digits.data[next++]));
		else if (*layout == '#')
			str_add_char(out, digits.data[next++]);
		else
			str_add_char(out, *layout);
	}
}
