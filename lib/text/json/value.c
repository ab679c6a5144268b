// SPDX-License-Identifier: MIT
#include "lib/text/json/value.h"

#include "lib/base/number.h"
#include "lib/base/utf8.h"

#define FOUND_BYTES 64

const char *json_type_name(enum json_type type)
{
	static const char *const names[] = {
		[JSON_NULL] = "null",       [JSON_BOOL] = "true or false",
		[JSON_NUMBER] = "a number", [JSON_TEXT] = "text",
		[JSON_ARRAY] = "an array",  [JSON_OBJECT] = "an object",
	};

	return names[type];
}

bool json_u64(struct text digits, uint64_t *ret)
{
	int64_t negative;

	if (!text_starts(digits, "-"))
		return number_any(digits, ret);
	if (!number_signed(digits, &negative))
		return false;
	*ret = (uint64_t)negative;
	return true;
}

void json_add_found(struct str *out, enum json_type type, struct text text)
{
	struct text part = utf8_first(text, FOUND_BYTES);

	if (type != JSON_TEXT && !text.size) {
		str_add(out, json_type_name(type));
		return;
	}
	str_add_char(out, '\'');
	str_add_text(out, part);
	str_add(out, part.size < text.size ? "…'" : "'");
}
