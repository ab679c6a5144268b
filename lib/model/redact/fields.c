// SPDX-License-Identifier: MIT
#include "lib/model/redact/fields.h"

#include "lib/model/jetsam.h"
#include "lib/model/redact/text.h"
#include "lib/model/report.h"
#include "lib/model/timeline.h"

#include <string.h>

/** Fields of one struct are adjacent. */
static const struct field {
	enum redact_struct which;
	size_t offset;
	enum redact_class class;
	const char *kind;
} fields[] = {
#define FIELD(which_, member, class_, kind_, place)         \
	{ REDACT_##which_, offsetof(struct which_, member), \
	  REDACT_CLASS_##class_, kind_ },
#include "lib/model/redact/fields.def"
};

static const struct {
	const char *key;
	enum redact_class class;
	const char *kind;
} columns[] = {
#define COLUMN(key_, class_, kind_) { key_, REDACT_CLASS_##class_, kind_ },
#include "lib/model/redact/fields.def"
};

/** `name [7]: …`, in a thread of a report with several processes. */
static bool begins_with_process(struct text in)
{
	size_t at = text_find(in, " [");
	struct text rest = text_after(in, at == TEXT_NOWHERE ? at : at + 2);
	struct text digits = text_take_digits(&rest);

	return digits.size && text_take(&rest, "]") &&
	       (!rest.size || text_starts(rest, ": ") ||
	        text_starts(rest, " "));
}

static const char *redact_thread(const struct redaction *r, const char *in)
{
	static const char process[] = "process ";
	struct text rest = text_from(in);

	if (text_take(&rest, process))
		return arena_printf(r->arena, "%s%s", process,
		                    redact_process(r->redactor, rest.data,
		                                   r->own, r->arena));
	return begins_with_process(text_from(in))
	               ? redact_process(r->redactor, in, r->own, r->arena)
	               : redact_text(r->redactor, in, REDACT_CODE, r->arena);
}

const char *redact_string(const struct redaction *r, const char *in,
                          enum redact_class class, const char *kind)
{
	if (!in)
		return NULL;
	if (r->is_again)
		return class == REDACT_CLASS_TEXT ||
		                       class == REDACT_CLASS_LINES ||
		                       class == REDACT_CLASS_VALUE ||
		                       class == REDACT_CLASS_MESSAGE
		               ? redact_seen(r->redactor, in, r->arena)
		               : in;
	switch (class) {
	case REDACT_CLASS_FIXED:
	case REDACT_CLASS_VALUE:
		break;
	case REDACT_CLASS_WHOSE:
		return redact_whole(r->redactor, in, kind, r->arena);
	case REDACT_CLASS_INPUT:
		return redact_input(r->redactor, in, r->arena);
	case REDACT_CLASS_PROCESS:
		return redact_process(r->redactor, in, r->own, r->arena);
	case REDACT_CLASS_THREAD:
		return redact_thread(r, in);
	case REDACT_CLASS_CODE:
		return redact_text(r->redactor, in, REDACT_CODE, r->arena);
	case REDACT_CLASS_VERSION:
		return redact_text(r->redactor, in, REDACT_VERSION, r->arena);
	case REDACT_CLASS_TEXT:
		return redact_text(r->redactor, in, REDACT_PROSE, r->arena);
	case REDACT_CLASS_LINES:
		return redact_lines(r->redactor, in, r->own, r->arena);
	case REDACT_CLASS_MESSAGE:
		return redact_message(r->redactor, in, r->arena);
	}
	return in;
}

void redact_structs(const struct redaction *r, enum redact_struct which,
                    void *items, size_t count, size_t item_size)
{
	size_t first = 0;
	size_t end;

	while (first < ARRAY_SIZE(fields) && fields[first].which != which)
		first++;
	end = first;
	while (end < ARRAY_SIZE(fields) && fields[end].which == which)
		end++;
	for (size_t i = 0; i < count; i++) {
		for (size_t k = first; k < end; k++) {
			const char **string =
			        (const char **)(void *)((char *)items +
			                                i * item_size +
			                                fields[k].offset);

			*string = redact_string(r, *string, fields[k].class,
			                        fields[k].kind);
		}
	}
}

enum redact_class redact_column(const char *key, const char **ret_kind)
{
	for (size_t i = 0; i < ARRAY_SIZE(columns); i++) {
		*ret_kind = columns[i].kind;
		if (!strcmp(columns[i].key, key))
			return columns[i].class;
	}
	*ret_kind = NULL;
	return REDACT_CLASS_MESSAGE;
}
