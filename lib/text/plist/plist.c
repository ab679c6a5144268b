// SPDX-License-Identifier: MIT
#include "lib/text/plist/plist.h"

#include "lib/base/utf8.h"

#include <string.h>

/** @param ret  As in plist_xml_parse(). */
static struct error *parse(struct bytes in, struct arena *arena,
                           const struct plist **ret)
{
	struct text text = bytes_text(in);

	if (in.size > PLIST_LIMIT_BYTES)
		return error_new(ERROR_LIMIT,
		                 "the property list is larger than %zu MB",
		                 PLIST_LIMIT_BYTES >> 20);
	if (text_starts(text, "bplist0"))
		return plist_binary_parse(in, arena, ret);
	text_take(&text, UTF8_MARK);
	text = text_trim_left(text);
	if (text_starts(text, "<"))
		return plist_xml_parse(text, arena, ret);
	if (!text.size)
		return error_new(ERROR_FORMAT, "the property list is empty");
	// The format of NeXTSTEP, `{ key = value; }`, is no longer written.
	return error_new(ERROR_UNSUPPORTED,
	                 "neither an XML nor a binary property list");
}

struct error *plist_parse(struct bytes in, struct arena *arena,
                          const struct plist **ret)
{
	const struct plist *root = NULL;
	struct error *err = parse(in, arena, &root);

	if (!err)
		*ret = root;
	return err;
}

struct error *plist_salvage(struct bytes in, struct arena *arena,
                            const struct plist **ret, const char **ret_fault)
{
	const struct plist *root = NULL;
	struct error *err = parse(in, arena, &root);

	*ret_fault = NULL;
	if (err && (!root || error_code(err) != ERROR_FORMAT))
		return err;
	if (err)
		*ret_fault = arena_strdup(arena, error_message(err));
	error_free(err);
	*ret = root;
	return NULL;
}

const struct plist *plist_get(const struct plist *dict, const char *key)
{
	if (!dict || dict->kind != PLIST_DICT)
		return NULL;
	for (size_t i = 0; i < dict->count; i++)
		if (text_is(dict->items[i].key, key))
			return dict->items[i].value;
	return NULL;
}

const char *plist_text(const struct plist *dict, const char *key)
{
	const struct plist *value = plist_get(dict, key);

	return value && value->kind == PLIST_STRING ? value->text.data : NULL;
}
