/*
 * A library that ships without a dSYM. Its static function is stripped from
 * the symbol table, so a reader must not give its code the name before it.
 */
#include "types.h"

u32 plain_store(u32 *slots, u32 index);

static NEVER_INLINE u32 clamp(u32 index)
{
	return index > 63 ? 63 : index;
}

NEVER_INLINE u32 plain_load(const u32 *slots, u32 index)
{
	return slots[clamp(index)];
}

NEVER_INLINE u32 plain_store(u32 *slots, u32 index)
{
	slots[clamp(index)] = index;
	return plain_load(slots, index) + 1;
}

u32 plain_run(u32 *slots, u32 count)
{
	u32 total = 0;
	for (u32 i = 0; i < count; i++)
		total += plain_store(slots, i);
	return total;
}
