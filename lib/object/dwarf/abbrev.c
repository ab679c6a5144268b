// SPDX-License-Identifier: MIT
#include "lib/object/dwarf/abbrev.h"

#include "lib/base/mem.h"
#include "lib/object/dwarf/abbrev_table.h"

#include <stdlib.h>
#include <string.h>

enum {
	AT_SIBLING = 0x01,
	AT_HIDDEN = 0x7f, ///< in no version of the standard
};

static void hide_sibling(struct abbrev_section *section, size_t pos)
{
	if (!section->copy) {
		section->copy = mem_alloc(section->original.size);
		memcpy(section->copy, section->original.data,
		       section->original.size);
	}
	section->copy[pos] = AT_HIDDEN;
}

/** Scan the attributes of one abbreviation. */
static bool scan_attributes(struct abbrev_section *section, struct cursor *c)
{
	for (unsigned i = 0; i <= ABBREV_ATTRIBUTES_MAX; i++) {
		size_t pos = c->pos;
		uint64_t attribute = cursor_uleb(c);
		bool one_byte = c->pos == pos + 1;
		uint64_t form = cursor_uleb(c);

		if (form == FORM_IMPLICIT_CONST)
			cursor_sleb(c);
		if (!cursor_ok(c))
			return false;
		if (!attribute && !form) {
			if (i > section->longest)
				section->longest = i;
			section->attributes[section->count] = (uint16_t)i;
			return true;
		}
		if (attribute != AT_SIBLING)
			continue;
		if (!one_byte)
			return false; // padded on purpose
		hide_sibling(section, pos);
	}
	return false;
}

static bool scan_table(struct abbrev_section *section, struct cursor *c,
                       struct dwarf_work *work)
{
	while (cursor_left(c)) {
		size_t pos = c->pos;
		uint64_t code = cursor_uleb(c);

		if (!code)
			return cursor_ok(c);
		cursor_uleb(c); // tag
		cursor_u8(c);   // whether it has children
		MEM_GROW(section->attributes, section->count, section->cap);
		if (!scan_attributes(section, c) ||
		    !dwarf_work_take(work, c->pos - pos))
			return false;
		section->is_ordered &= code == ++section->count;
	}
	return true; // the table may end with its section
}

bool abbrev_scan(struct abbrev_section *section, uint64_t offset,
                 struct dwarf_work *work)
{
	if (section->scanned && section->offset == offset)
		return section->valid;
	struct cursor c = cursor_at(section->original, offset, CURSOR_LITTLE);

	section->scanned = true;
	section->offset = offset;
	section->longest = 0;
	section->count = 0;
	section->is_ordered = true;
	section->valid = cursor_ok(&c) && scan_table(section, &c, work);
	section->size = c.pos - offset;
	return section->valid;
}

struct bytes abbrev_contents(const struct abbrev_section *section)
{
	return (struct bytes){
		.data = section->copy ? section->copy : section->original.data,
		.size = section->original.size,
	};
}

void abbrev_release(struct abbrev_section *section)
{
	free(section->copy);
	free(section->attributes);
	section->copy = NULL;
	section->attributes = NULL;
}
