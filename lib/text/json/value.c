#include "lib/text/json/value.h"

#include "lib/base/number.h"

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
