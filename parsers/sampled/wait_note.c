// SPDX-License-Identifier: MIT
#include "parsers/sampled/wait_note.h"

#include "lib/base/number.h"

/** The text in the parentheses after the last address. */
static struct text find_note(struct text what)
{
	size_t open = text_find_last(what, "] (");
	struct text note;

	if (open == TEXT_NOWHERE)
		return TEXT_NONE;
	note = text_after(what, open + 3);
	// The range of samples may follow.
	return text_first(note, text_find_last_char(note, ')'));
}

/** Remove @p mark and the text after it. */
static bool cut_from(struct text *text, const char *mark)
{
	size_t at = text_find_last(*text, mark);

	if (at == TEXT_NOWHERE)
		return false;
	*text = text_trim_right(text_first(*text, at));
	return true;
}

/** `thread 0x77` at the end, alone or after the process. */
static void cut_thread(struct text *owner, struct wait_note *ret)
{
	static const char label[] = "thread 0x";
	size_t at = text_find_last(*owner, label);

	if (at == TEXT_NOWHERE || (at && !text_is_space(owner->data[at - 1])) ||
	    !number_hex(text_after(*owner, at + sizeof(label) - 3),
	                &ret->thread))
		return;
	ret->has_thread = true;
	*owner = text_trim_right(text_first(*owner, at));
}

bool wait_note_read(struct text what, struct wait_note *ret)
{
	static const char waits[] = " waiting for ";
	struct text owner = find_note(what);
	size_t at = text_find(owner, waits);

	*ret = (struct wait_note){ .process = TEXT_NONE };
	if (at == TEXT_NOWHERE ||
	    text_find(text_first(owner, at), "blocked by ") == TEXT_NOWHERE)
		return false;
	owner = text_trim(text_after(owner, at + sizeof(waits) - 1));
	ret->is_deadlock = cut_from(&owner, " - part of a deadlock");
	if (text_ends(owner, " hops") || text_ends(owner, " hop"))
		cut_from(&owner, " after ");
	if (text_is(owner, "this thread")) {
		ret->is_itself = true;
		return true;
	}
	cut_thread(&owner, ret);
	ret->process = owner;
	return owner.size || ret->has_thread;
}
