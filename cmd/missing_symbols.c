#include "cmd/missing_symbols.h"

#include "cmd/command.h"
#include "lib/base/mem.h"
#include "lib/base/str.h"
#include "lib/base/utf8.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *copy(const char *text)
{
	return mem_strndup(text ? text : "?", text ? strlen(text) : 1);
}

static char *describe_problem(const struct symbol_image *image)
{
	struct str text = { 0 };

	if (image->status == SYMBOL_FILE_MISSING)
		return NULL;
	if (image->status == SYMBOL_FILE_MALFORMED)
		str_addf(&text, "'%s': %s", image->path, image->reason);
	else if (!image->has_debug_info)
		str_addf(&text, "'%s' has no debug information", image->path);
	else
		str_addf(&text, "'%s': %zu unit%s cannot be read", image->path,
		         image->bad_unit_count,
		         image->bad_unit_count == 1 ? "" : "s");
	return text.data;
}

static struct missing_image *find(struct missing_symbols *missing,
                                  const struct report_image *image)
{
	const char *name = image->name ? image->name : "?";

	for (size_t i = 0; i < missing->count; i++) {
		struct missing_image *item = &missing->items[i];

		if (uuid_equal(&item->uuid, &image->uuid) &&
		    !strcmp(item->name, name))
			return item;
	}
	return NULL;
}

void missing_symbols_add(struct missing_symbols *missing,
                         const struct symbolicate_result *result)
{
	for (size_t i = 0; i < result->count; i++) {
		const struct symbolicate_image *image = &result->images[i];
		struct missing_image *item;

		if (!symbolicate_image_lacks(image))
			continue;
		item = find(missing, image->image);
		if (!item) {
			MEM_GROW(missing->items, missing->count, missing->cap);
			item = &missing->items[missing->count++];
			*item = (struct missing_image){
				.uuid = image->image->uuid,
				.name = copy(image->image->name),
				.arch = copy(image->image->arch
				                     ? image->image->arch
				                     : image->result.arch),
				.problem = describe_problem(&image->result),
			};
		}
		item->frames += image->lineless_count;
		item->reports++;
	}
}

static void add_padded(struct str *line, const char *text, size_t width)
{
	size_t start = line->size;
	size_t used;

	utf8_add_visible(line, text_from(text));
	used = utf8_width(text_after(str_text(line), start));
	if (used < width)
		str_add_repeat(line, ' ', width - used);
}

static int compare_images(const void *a, const void *b)
{
	const struct missing_image *x = a;
	const struct missing_image *y = b;
	int order = strcmp(x->name, y->name);

	return order ? order : uuid_compare(&x->uuid, &y->uuid);
}

void missing_symbols_print(struct missing_symbols *missing)
{
	SCOPED(str_release) struct str text = { 0 };
	size_t name_width = 0, arch_width = 0;

	if (!missing->count)
		return;
	// As found, the order depends on how the reports fell into batches.
	qsort(missing->items, missing->count, sizeof(*missing->items),
	      compare_images);
	for (size_t i = 0; i < missing->count; i++) {
		size_t name = utf8_width(text_from(missing->items[i].name));
		size_t arch = utf8_width(text_from(missing->items[i].arch));

		name_width = name > name_width ? name : name_width;
		arch_width = arch > arch_width ? arch : arch_width;
	}
	str_addf(&text, "apmtool: %zu image%s of the app lack%s a dSYM:\n",
	         missing->count, missing->count == 1 ? "" : "s",
	         missing->count == 1 ? "s" : "");
	for (size_t i = 0; i < missing->count; i++) {
		const struct missing_image *item = &missing->items[i];
		char uuid[UUID_TEXT_SIZE];

		str_add(&text, "  ");
		add_padded(&text, item->name, name_width + 2);
		add_padded(&text, item->arch, arch_width + 2);
		str_addf(&text, "%s  %zu frame%s",
		         uuid_is_zero(&item->uuid)
		                 ? "(the report gives no UUID)          "
		                 : uuid_format(&item->uuid, uuid),
		         item->frames, item->frames == 1 ? "" : "s");
		if (item->reports > 1)
			str_addf(&text, " in %zu reports", item->reports);
		if (item->problem) {
			str_add(&text, "\n    ");
			utf8_add_visible(&text, text_from(item->problem));
		}
		str_add_char(&text, '\n');
	}
	fwrite(text.data, 1, text.size, stderr);
}

void missing_symbols_release(struct missing_symbols *missing)
{
	for (size_t i = 0; i < missing->count; i++) {
		free(missing->items[i].name);
		free(missing->items[i].arch);
		free(missing->items[i].problem);
	}
	free(missing->items);
}
