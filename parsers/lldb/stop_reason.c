// SPDX-License-Identifier: MIT
#include "parsers/lldb/stop_reason.h"

#include "lib/base/number.h"
#include "lib/darwin/exceptions.h"
#include "lib/darwin/signals.h"

#include <inttypes.h>

#define MESSAGE "Application Specific Information"

/** The value of `name=…` in brackets; empty if it is not there. */
static struct text value_of(struct text inside, const char *name)
{
	size_t at = text_find(inside, name);
	struct text value;
	size_t size = 0;

	if (at == TEXT_NOWHERE)
		return TEXT_NONE;
	value = text_after(inside, at + strlen(name));
	while (size < value.size && value.data[size] != ',' &&
	       value.data[size] != ')')
		size++;
	return text_first(value, size);
}

/** `(code=1, address=0x10)`, `(code=EXC_I386_INVOP, subcode=0x0)` */
static void set_codes(struct report_exception *exception, struct arena *arena,
                      struct text inside)
{
	struct text code = value_of(inside, "code=");
	struct text address = value_of(inside, "address=");
	struct text subcode = value_of(inside, "subcode=");
	uint64_t numbers[2];

	if (!subcode.size)
		subcode = address;
	if (number_any(code, &numbers[0]) && number_any(subcode, &numbers[1]))
		exception->codes =
		        arena_printf(arena, "0x%016" PRIx64 ", 0x%016" PRIx64,
		                     numbers[0], numbers[1]);
	else if (text_starts(code, "EXC_") || text_starts(code, "KERN_"))
		exception->codes = address.size
		                           ? arena_printf(arena, "%.*s at %.*s",
		                                          TEXT_ARGS(code),
		                                          TEXT_ARGS(address))
		                           : arena_text(arena, code);
	else if (number_any(code, &numbers[0]))
		exception->codes =
		        arena_printf(arena, "0x%016" PRIx64, numbers[0]);
	if (darwin_exception_number(exception->type) == DARWIN_EXC_BAD_ACCESS &&
	    number_any(code, &numbers[0]))
		exception->signal = darwin_signal_name(darwin_default_signal(
		        DARWIN_EXC_BAD_ACCESS, numbers[0], 0));
}

static void set_exception(struct report_exception *exception,
                          struct arena *arena, struct text reason)
{
	// `EXC_RESOURCE RESOURCE_TYPE_MEMORY (limit=1450 MB, …)`
	size_t end = text_find_char(reason, ' ');

	exception->type = arena_text(arena, text_first(reason, end));
	if (end == TEXT_NOWHERE)
		return;
	reason = text_trim(text_after(reason, end));
	exception->subtype = arena_text(arena, reason);
	set_codes(exception, arena, reason);
}

void lldb_set_stop_reason(struct report *report, struct arena *arena,
                          struct text reason)
{
	struct report_exception *exception = &report->exception;
	struct text rest = text_trim(reason);
	struct text name;

	if (text_starts(rest, "EXC_")) {
		set_exception(exception, arena, rest);
		return;
	}
	if (text_take(&rest, "signal ")) {
		name = text_first(rest, text_find_char(rest, ' '));
		// `signal SIGSEGV: address not mapped to object`, of Linux
		if (text_ends(name, ":"))
			name = text_first(name, name.size - 1);
		exception->signal = arena_text(arena, name);
		if (name.size + 1 < rest.size)
			report_add_section(report, arena, MESSAGE,
			                   arena_text(arena, rest));
		return;
	}
	// The message of an Objective-C exception, in Xcode.
	if (text_take(&rest, "\"") && text_ends(rest, "\"")) {
		report->thrown.kind = "objc-exception";
		report->thrown.reason =
		        arena_text(arena, text_first(rest, rest.size - 1));
		return;
	}
	// `Fatal error: …`, `hit Objective-C exception`, `breakpoint 1.1`
	if (rest.size)
		report_add_section(report, arena, MESSAGE,
		                   arena_text(arena, rest));
}
