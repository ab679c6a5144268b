// SPDX-License-Identifier: MIT
#include "lib/object/dwarf/form.h"

#include <string.h>

/** Size of forms with one size in all units; else FORM_UNKNOWN. */
static int fixed_size(uint64_t form)
{
	switch (form) {
	case FORM_FLAG_PRESENT:
	case FORM_IMPLICIT_CONST:
		return 0;
	case FORM_DATA1:
	case FORM_FLAG:
	case FORM_REF1:
	case FORM_STRX1:
	case FORM_ADDRX1:
		return 1;
	case FORM_DATA2:
	case FORM_REF2:
	case FORM_STRX2:
	case FORM_ADDRX2:
		return 2;
	case FORM_STRX3:
	case FORM_ADDRX3:
		return 3;
	case FORM_DATA4:
	case FORM_REF4:
	case FORM_REF_SUP4:
	case FORM_STRX4:
	case FORM_ADDRX4:
		return 4;
	case FORM_DATA8:
	case FORM_REF8:
	case FORM_REF_SIG8:
	case FORM_REF_SUP8:
		return 8;
	case FORM_DATA16:
		return 16;
	default:
		return FORM_UNKNOWN;
	}
}

int form_size(uint64_t form, const struct form_sizes *sizes)
{
	switch (form) {
	case FORM_ADDR:
		return sizes->address;
	case FORM_REF_ADDR:
		return sizes->ref_addr;
	case FORM_STRP:
	case FORM_LINE_STRP:
	case FORM_SEC_OFFSET:
	case FORM_STRP_SUP:
	case FORM_GNU_REF_ALT:
	case FORM_GNU_STRP_ALT:
		return sizes->offset;
	case FORM_STRING:
	case FORM_BLOCK:
	case FORM_BLOCK1:
	case FORM_BLOCK2:
	case FORM_BLOCK4:
	case FORM_EXPRLOC:
	case FORM_SDATA:
	case FORM_UDATA:
	case FORM_REF_UDATA:
	case FORM_STRX:
	case FORM_ADDRX:
	case FORM_LOCLISTX:
	case FORM_RNGLISTX:
	case FORM_GNU_ADDR_INDEX:
	case FORM_GNU_STR_INDEX:
	case FORM_INDIRECT:
		return FORM_VARIES;
	default:
		return fixed_size(form);
	}
}

/** Size of a block, after its size field. */
static uint64_t block_size(uint64_t form, struct cursor *c)
{
	switch (form) {
	case FORM_BLOCK1:
		return cursor_u8(c);
	case FORM_BLOCK2:
		return cursor_u16(c);
	case FORM_BLOCK4:
		return cursor_u32(c);
	default:
		return cursor_uleb(c);
	}
}

static uint64_t read_three(struct cursor *c)
{
	uint64_t low = cursor_u16(c);

	return low | (uint64_t)cursor_u8(c) << 16;
}

bool form_read(uint64_t form, const struct form_sizes *sizes, struct cursor *c,
               uint64_t *ret)
{
	int size = form_size(form, sizes);
	uint64_t number = 0;

	switch (form) {
	case FORM_STRING:
		number = c->pos;
		cursor_cstr(c);
		break;
	case FORM_BLOCK:
	case FORM_BLOCK1:
	case FORM_BLOCK2:
	case FORM_BLOCK4:
	case FORM_EXPRLOC:
		number = block_size(form, c);
		cursor_skip(c, number);
		break;
	case FORM_SDATA:
		number = (uint64_t)cursor_sleb(c);
		break;
	case FORM_INDIRECT:
		return false;
	case FORM_FLAG_PRESENT:
		number = 1;
		break;
	case FORM_DATA16:
		cursor_skip(c, 16);
		return false;
	default:
		if (size == FORM_UNKNOWN)
			c->failed = true;
		else if (size == FORM_VARIES)
			number = cursor_uleb(c);
		else if (size == 3)
			number = read_three(c);
		else
			number = cursor_uint(c, (unsigned)size);
	}
	*ret = number;
	return cursor_ok(c);
}

void form_skip(uint64_t form, const struct form_sizes *sizes, struct cursor *c)
{
	uint64_t number;
	int size;

	if (form == FORM_INDIRECT)
		form = cursor_uleb(c);
	size = form_size(form, sizes);
	// An indirect form must have its value here.
	if (form == FORM_INDIRECT || form == FORM_IMPLICIT_CONST)
		c->failed = true;
	else if (size >= 0)
		cursor_skip(c, (uint64_t)size);
	else
		(void)form_read(form, sizes, c, &number);
}
