// SPDX-License-Identifier: MIT
#include "lib/symbols/demangle/rust_reader.h"

#include "lib/base/utf8.h"

#include <inttypes.h>

/** Read hexadecimal digits up to `_`. */
static struct text hex(struct rust_reader *r)
{
	struct text digits = { r->at, 0 };

	while (text_is_hex_digit(rust_peek(r))) {
		rust_next(r);
		digits.size++;
	}
	if (!rust_take(r, '_'))
		rust_fail(r);
	return digits;
}

static void print_number(struct rust_reader *r, struct text digits)
{
	uint64_t value;

	if (r->silent)
		return;
	if (rust_hex_value(digits, &value))
		str_addf(r->out, "%" PRIu64, value);
	else
		str_addf(r->out, "0x%.*s", TEXT_ARGS(digits));
}

static void print_character(struct rust_reader *r, struct text digits)
{
	static const char escaped[][2] = {
		{ '\t', 't' },  { '\n', 'n' },  { '\r', 'r' },
		{ '\'', '\'' }, { '\\', '\\' },
	};
	char bytes[UTF8_SIZE];
	uint64_t value;

	if (!rust_hex_value(digits, &value) || value > 0x10ffff ||
	    (value >= 0xd800 && value <= 0xdfff)) {
		rust_fail(r);
		return;
	}
	if (r->silent)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(escaped); i++)
		if (value == (unsigned char)escaped[i][0]) {
			str_addf(r->out, "'\\%c'", escaped[i][1]);
			return;
		}
	if (value < 0x20 || value == 0x7f || utf8_is_hidden((uint32_t)value))
		str_addf(r->out, "'\\u{%" PRIx64 "}'", value);
	else
		str_addf(r->out, "'%.*s'",
		         (int)utf8_encode((uint32_t)value, bytes), bytes);
}

static void constant_of(struct rust_reader *r, char letter)
{
	uint64_t value;

	switch (letter) {
	case 'a':
	case 's':
	case 'l':
	case 'x':
	case 'n':
	case 'i':
		if (rust_take(r, 'n'))
			rust_print(r, "-");
		print_number(r, hex(r));
		break;
	case 'h':
	case 't':
	case 'm':
	case 'y':
	case 'o':
	case 'j':
		print_number(r, hex(r));
		break;
	case 'b':
		if (!rust_hex_value(hex(r), &value) || value > 1)
			rust_fail(r);
		else
			rust_print(r, value ? "true" : "false");
		break;
	case 'c':
		print_character(r, hex(r));
		break;
	case 'p':
		rust_print(r, "_");
		break;
	case 'B':
		rust_back_reference(r, rust_constant);
		break;
	default:
		rust_fail(r);
	}
}

void rust_constant(struct rust_reader *r)
{
	if (!rust_enter(r))
		return;
	constant_of(r, rust_next(r));
	r->depth--;
}
