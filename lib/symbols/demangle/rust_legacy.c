// SPDX-License-Identifier: MIT
#include "lib/symbols/demangle/rust_legacy.h"

#include "lib/symbols/demangle/rust_reader.h"

#include "lib/base/utf8.h"

bool rust_is_legacy(struct text name)
{
	size_t at, digits;

	text_take(&name, "_");
	if (!text_starts(name, "_ZN") && !text_starts(name, "ZN"))
		return false;
	// Only a suffix, `.llvm.123`, may follow the hash.
	if (name.data[name.size - 1] != 'E' &&
	    text_find_char(name, '.') == TEXT_NOWHERE)
		return false;
	at = text_find_last(name, "17h");
	digits = at + 3;
	if (at == TEXT_NOWHERE || name.size < digits + 17)
		return false;
	for (size_t i = 0; i < 16; i++)
		if (!text_is_hex_digit(name.data[digits + i]))
			return false;
	return name.data[digits + 16] == 'E';
}

/** Add the character of an escape between dollar signs; false: unknown. */
static bool add_escape(struct text escape, struct str *out)
{
	static const struct {
		const char *escape;
		const char *text;
	} escapes[] = {
		{ "SP", "@" }, { "BP", "*" }, { "RF", "&" }, { "LT", "<" },
		{ "GT", ">" }, { "LP", "(" }, { "RP", ")" }, { "C", "," },
	};
	char bytes[UTF8_SIZE];
	uint64_t value;

	for (size_t i = 0; i < ARRAY_SIZE(escapes); i++)
		if (text_is(escape, escapes[i].escape)) {
			str_add(out, escapes[i].text);
			return true;
		}
	if (!text_take(&escape, "u") || !escape.size || escape.size > 6)
		return false;
	for (size_t i = 0; i < escape.size; i++)
		if (!text_is_hex_digit(escape.data[i]))
			return false;
	if (!rust_hex_value(escape, &value) || value > 0x10ffff ||
	    value < 0x20 || (value >= 0xd800 && value <= 0xdfff))
		return false;
	str_add_bytes(out, bytes, utf8_encode((uint32_t)value, bytes));
	return true;
}

static bool add_segment(struct text segment, struct str *out)
{
	// Names cannot begin with `$`.
	if (text_starts(segment, "_$"))
		segment = text_after(segment, 1);
	while (segment.size) {
		size_t end;

		if (text_take(&segment, "..")) {
			str_add(out, "::");
		} else if (segment.data[0] == '$') {
			segment = text_after(segment, 1);
			end = text_find_char(segment, '$');
			if (end == TEXT_NOWHERE ||
			    !add_escape(text_first(segment, end), out))
				return false;
			segment = text_after(segment, end + 1);
		} else {
			str_add_char(out, segment.data[0]);
			segment = text_after(segment, 1);
		}
	}
	return true;
}

/** Read names with their lengths up to `E`; the last one is a hash. */
bool rust_demangle_legacy(struct text name, bool brief, struct str *out)
{
	const char *before = "";

	while (name.size && text_is_digit(name.data[0])) {
		size_t size = 0;
		bool is_hash;

		while (name.size && text_is_digit(name.data[0])) {
			size = 10 * size + (size_t)(name.data[0] - '0');
			name = text_after(name, 1);
			if (size > name.size)
				return false;
		}
		is_hash = size == 17 && name.size > size &&
		          name.data[size] == 'E';
		if (!is_hash || !brief) {
			str_add(out, before);
			if (!add_segment(text_first(name, size), out))
				return false;
			before = "::";
		}
		name = text_after(name, size);
	}
	if (!text_take(&name, "E") || out->size > RUST_PRINTED_MAX)
		return false;
	// Other letters are parameters of a C++ function.
	if (name.size && name.data[0] != '.')
		return false;
	if (name.size)
		str_addf(out, " (%.*s)", TEXT_ARGS(name));
	return true;
}
