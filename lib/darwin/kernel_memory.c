// SPDX-License-Identifier: MIT
#include "lib/darwin/kernel_memory.h"

#include "lib/base/number.h"
#include "lib/darwin/jetsam.h"
#include "lib/darwin/log_prefix.h"

#include <string.h>

/** Max size of names and reasons. */
#define NAME_BYTES_MAX 64

#define EXCEEDED " exceeded mem limit: "
#define KILLED   " killed by jetsam reason "

static bool take_number(struct text *rest, uint64_t *ret)
{
	return number_decimal(text_take_digits(rest), ret);
}

/** Split @p rest at @p mark, which is removed. */
static bool take_until(struct text *rest, const char *mark, struct text *ret)
{
	size_t at = text_find(*rest, mark);

	if (at == TEXT_NOWHERE || !at || at > NAME_BYTES_MAX)
		return false;
	*ret = text_first(*rest, at);
	*rest = text_after(*rest, at + strlen(mark));
	return true;
}

/** `Demo [612]`, `Demo[612]`, up to @p mark. */
static bool take_process(struct text *rest, const char *mark,
                         struct kernel_memory *ret)
{
	if (!take_until(rest, "[", &ret->name))
		return false;
	ret->name = text_trim(ret->name);
	return ret->name.size && take_number(rest, &ret->pid) &&
	       text_take(rest, "]") && text_take(rest, mark);
}

// `ActiveHard 50 MB (fatal)`: the process is killed; without `fatal` it
// continues.
bool kernel_memory_exceeded(struct text rest, struct kernel_memory *ret)
{
	if (!take_process(&rest, EXCEEDED, ret))
		return false;
	ret->words = rest;
	if (!take_until(&rest, " ", &ret->limit_name) ||
	    !take_number(&rest, &ret->limit_mib) || !text_take(&rest, " MB") ||
	    ret->limit_mib > UINT64_C(1) << 30)
		return false;
	ret->has_limit = true;
	if (text_starts(rest, " (fatal)"))
		ret->reason = text_from(JETSAM_HARD_LIMIT);
	return true;
}

static bool read_killed(struct text rest, struct kernel_memory *ret)
{
	if (!text_take(&rest, "Process ") || !take_process(&rest, KILLED, ret))
		return false;
	ret->reason = text_trim(rest);
	return ret->reason.size && ret->reason.size <= NAME_BYTES_MAX;
}

/** ` 612 [Demo] in high band FOREGROUND (100)` */
static bool read_band(struct text rest, struct kernel_memory *ret)
{
	struct text band;

	if (!text_take(&rest, "killing process ") ||
	    !take_number(&rest, &ret->pid) || !text_take(&rest, " [") ||
	    !take_until(&rest, "]", &ret->name))
		return false;
	ret->has_priority = text_take(&rest, " in high band ") &&
	                    take_until(&rest, " (", &band) &&
	                    take_number(&rest, &ret->priority);
	return true;
}

// `_highwater_process pid 612 [Demo] (highwater 3) 51440KB - …`
bool kernel_memory_killing(struct text rest, struct kernel_memory *ret)
{
	struct text what;
	struct text unit;

	if (!text_take(&rest, "_") || !take_until(&rest, " pid ", &what) ||
	    !take_number(&rest, &ret->pid) || !text_take(&rest, " [") ||
	    !take_until(&rest, "] (", &ret->name))
		return false;
	if (text_find_char(rest, ')') == TEXT_NOWHERE)
		return false;
	ret->words = text_first(rest, text_find_char(rest, ')'));
	if (!take_until(&rest, " ", &ret->reason) ||
	    !take_number(&rest, &ret->priority))
		return false;
	// Newer kernels print more: `(per-process-limit 100 16s rf:-)`.
	rest = text_after(rest, text_find_char(rest, ')') + 1);
	ret->has_priority = true;
	rest = text_trim_left(rest);
	unit = rest;
	text_take_digits(&unit);
	ret->has_footprint = text_starts(unit, "KB") &&
	                     take_number(&rest, &ret->footprint_kib) &&
	                     ret->footprint_kib <= UINT64_C(1) << 40;
	return true;
}

bool kernel_memory_read(struct text line, struct kernel_memory *ret)
{
	struct text rest = log_prefix_message(line);
	size_t at = text_find(line, "memorystatus: ");

	*ret = (struct kernel_memory){ .name = TEXT_NONE };
	if (at != TEXT_NOWHERE)
		rest = text_after(line, at + strlen("memorystatus: "));
	else if ((at = text_find(line, "Process ")) != TEXT_NOWHERE &&
	         text_find(line, KILLED) != TEXT_NOWHERE)
		return read_killed(text_after(line, at), ret);
	else if (!text_take(&rest, "EXC_RESOURCE -> "))
		return false;
	if (kernel_memory_exceeded(rest, ret) || read_band(rest, ret))
		return true;
	return text_take(&rest, "killing") && kernel_memory_killing(rest, ret);
}
