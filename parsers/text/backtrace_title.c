// SPDX-License-Identifier: MIT
#include "parsers/text/backtrace_title.h"

#include "lib/base/number.h"
#include "lib/darwin/log_prefix.h"

#define MARK "Backtrace of Thread "

bool backtrace_title_parse(struct text line, struct backtrace_title *ret)
{
	size_t at;

	line = text_trim_right(line);
	if (!text_ends(line, ":"))
		return false;
	at = text_find(line, MARK);
	if (at == TEXT_NOWHERE)
		return false;
	ret->process = at ? log_prefix_of(line).process : TEXT_NONE;
	line = text_first(text_after(line, at + strlen(MARK)),
	                  line.size - at - strlen(MARK ":"));
	if (!number_decimal(text_take_digits(&line), &ret->number))
		return false;
	line = text_trim(line);
	ret->name = TEXT_NONE;
	if (text_take(&line, "(") && text_ends(line, ")"))
		ret->name = text_first(line, line.size - 1);
	else if (line.size)
		return false;
	return true;
}

bool backtrace_title_is_rule(struct text line)
{
	line = text_trim(line);
	for (size_t i = 0; i < line.size; i++)
		if (line.data[i] != '=')
			return false;
	return line.size > 0;
}
