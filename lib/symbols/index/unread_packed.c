// SPDX-License-Identifier: MIT
#include "lib/symbols/index/unread_packed.h"

#include <inttypes.h>

void unread_packed_release(struct unread_packed *packed)
{
	intern_release(&packed->paths);
}

void unread_packed_add(struct unread_packed *packed, const char *path,
                       const char *what)
{
	if (!packed->paths.count)
		packed->what = what;
	intern_add(&packed->paths, text_from(path));
}

void unread_packed_describe(const struct unread_packed *packed, struct str *out)
{
	uint32_t count = packed->paths.count;

	if (!count)
		return;
	str_addf(out, "not searched: '%s', which is %s",
	         intern_cstr(&packed->paths, 0), packed->what);
	if (count > 1)
		str_addf(out, ", and %" PRIu32 " more packed file%s", count - 1,
		         text_plural(count - 1));
	str_addf(out, ": unpack %s first", count > 1 ? "them" : "it");
}
