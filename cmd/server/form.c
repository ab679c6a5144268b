// SPDX-License-Identifier: MIT
#include "cmd/server/form.h"

#define FORM_TYPE "multipart/form-data"

/** The limit of RFC 2046. */
#define BOUNDARY_BYTES_MAX 70

/** Later fields are ignored. */
#define FIELDS_MAX 16

bool form_is_type(struct text content_type)
{
	struct text type = text_first(content_type, sizeof(FORM_TYPE) - 1);

	return text_is_nocase(type, FORM_TYPE);
}

static bool find_boundary(struct text content_type, struct text *ret)
{
	size_t at = text_find(content_type, "boundary=");
	struct text found;

	if (at == TEXT_NOWHERE)
		return false;
	found = text_after(content_type, at + sizeof("boundary=") - 1);
	if (text_take(&found, "\""))
		found = text_first(found, text_find_char(found, '"'));
	else
		found = text_trim(
		        text_first(found, text_find_char(found, ';')));
	*ret = found;
	return found.size && found.size <= BOUNDARY_BYTES_MAX;
}

/** Cut off the field before the next line `--boundary`. */
static bool cut_field(struct text *rest, struct text boundary, struct text *ret)
{
	struct text after = *rest;
	size_t at;

	while ((at = text_find(after, "--")) != TEXT_NOWHERE) {
		after = text_after(after, at + 2);
		if (after.size < boundary.size ||
		    !text_equal(text_first(after, boundary.size), boundary))
			continue;
		*ret = text_first(*rest, (size_t)(after.data - rest->data) - 2);
		if (ret->size && !text_ends(*ret, "\r\n"))
			continue;
		*ret = text_first(*ret, ret->size - (ret->size ? 2 : 0));
		*rest = text_after(after, boundary.size);
		return true;
	}
	return false;
}

bool form_find(struct text content_type, struct text body, struct text *ret)
{
	struct text rest = body;
	struct text boundary, field;

	if (!form_is_type(content_type) ||
	    !find_boundary(content_type, &boundary) ||
	    !cut_field(&rest, boundary, &field))
		return false;
	for (size_t i = 0; i < FIELDS_MAX && cut_field(&rest, boundary, &field);
	     i++) {
		size_t at = text_find(field, "\r\n\r\n");

		if (at == TEXT_NOWHERE)
			continue;
		field = text_after(field, at + 4);
		if (text_trim(field).size) {
			*ret = field;
			return true;
		}
	}
	return false;
}
