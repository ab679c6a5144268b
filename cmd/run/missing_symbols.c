// SPDX-License-Identifier: MIT
#include "cmd/run/missing_symbols.h"

#include "cmd/run/redaction.h"
#include "cmd/run/shell_word.h"
#include "lib/analysis/symbolicate/nearest_symbols.h"
#include "lib/base/utf8.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

/** Longer names, in broken reports, exceed their column. */
#define COLUMN_WIDTH_MAX 64

static const char *or_unknown(const char *text)
{
	return text ? text : "?";
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

/** Is there more to print than the search, for any image? */
static bool has_detail(const struct missing_symbols *images,
                       const struct missing_image *image)
{
	if (image->status != MISSING_ABSENT || image->beside ||
	    image->same_name)
		return true;
	return image->reason &&
	       (image->reason != images->searched || images->count == 1);
}

static void add_image(struct str *text, const struct missing_symbols *images,
                      const struct missing_image *image, size_t name_width,
                      size_t arch_width)
{
	SCOPED(str_release) struct str found = { 0 };
	char uuid[UUID_TEXT_SIZE];

	str_add(text, "  ");
	add_padded(text, or_unknown(image->name), name_width + 2);
	add_padded(text, or_unknown(image->arch), arch_width + 2);
	str_addf(text, "%s  %" PRIu64 " frame%s",
	         uuid_is_zero(&image->uuid)
	                 ? "(the report gives no UUID)          "
	                 : uuid_format(&image->uuid, uuid),
	         image->frame_count, text_plural(image->frame_count));
	if (image->report_count > 1)
		str_addf(text, " in %" PRIu64 " reports", image->report_count);
	if (has_detail(images, image)) {
		missing_image_describe(image, &found);
		str_add(text, "\n    ");
		utf8_add_visible(text, str_text(&found));
	}
	str_add_char(text, '\n');
}

static size_t wider(size_t width, const char *text)
{
	size_t other = utf8_width(text_from(or_unknown(text)));

	return other > width && other <= COLUMN_WIDTH_MAX ? other : width;
}

/** The one input of all images, if it is a file; else NULL. */
static const char *common_input(const struct missing_symbols *images)
{
	const char *input = images->images[0].input;

	for (size_t i = 1; i < images->count && input; i++)
		if (!images->images[i].input ||
		    strcmp(images->images[i].input, input) != 0)
			return NULL;
	return input && !access(input, F_OK) ? input : NULL;
}

/** Could a file of this build still be found? */
static bool is_wanted(const struct missing_image *image)
{
	return image->status == MISSING_ABSENT ||
	       image->status == MISSING_WRONG_UUID;
}

/** Print the search, for the images without details. */
static void add_search(struct str *text, const struct missing_symbols *images,
                       const struct uuid_searched *searched)
{
	bool is_open = false;

	for (size_t i = 0; i < images->count; i++)
		is_open = is_open || !has_detail(images, &images->images[i]);
	if (!searched->path_count) {
		str_add(text, "  no --dsym was given: name a dSYM, an "
		              ".xcarchive, or a directory of them\n");
	} else if (is_open && !searched->macho_count) {
		str_add(text, "  ");
		utf8_add_visible(text, text_from(images->searched));
		str_add_char(text, '\n');
	} else if (is_open) {
		str_addf(text, "  %zu symbol file%s below ",
		         searched->macho_count,
		         text_plural(searched->macho_count));
		if (searched->path_count == 1)
			shell_word_add(text, searched->path);
		else
			str_addf(text, "%zu paths", searched->path_count);
		str_addf(text, " %s looked at\n",
		         searched->macho_count == 1 ? "was" : "were");
	}
}

/** Print what to do next. */
static void add_advice(struct str *text, const struct missing_symbols *images,
                       const struct uuid_searched *searched, bool has_details)
{
	const char *input = common_input(images);
	size_t wanted = 0;

	for (size_t i = 0; i < images->count; i++)
		wanted += is_wanted(&images->images[i]);
	if (!wanted)
		return;
	add_search(text, images, searched);
	if (!has_details)
		return;
	// Pseudonyms are not file names.
	if (redaction()) {
		str_add(text, "  for details: apmtool missing <report>... "
		              "--dsym <path>...\n");
		return;
	}
	str_add(text, "  for details: apmtool missing ");
	if (input)
		shell_word_add(text, input);
	else
		str_add(text, "<report>...");
	if (searched->path_count == 1) {
		str_add(text, " --dsym ");
		shell_word_add(text, searched->path);
	} else if (searched->path_count) {
		str_add(text, " --dsym <path>...");
	}
	str_add_char(text, '\n');
}

void missing_symbols_notice(const struct notices *notices,
                            struct missing_symbols *images,
                            struct uuid_index *index, bool has_details)
{
	SCOPED(str_release) struct str text = { 0 };
	SCOPED(str_release) struct str details = { 0 };
	SCOPED(str_release) struct str next = { 0 };
	size_t name_width = 0, arch_width = 0;

	if (!images->count)
		return;
	nearest_symbols_find(images, index);
	missing_symbols_sort(images);
	for (size_t i = 0; i < images->count; i++) {
		name_width = wider(name_width, images->images[i].name);
		arch_width = wider(arch_width, images->images[i].arch);
	}
	str_addf(&text, "%zu image%s of the app %s no usable dSYM",
	         images->count, text_plural(images->count),
	         images->count == 1 ? "has" : "have");
	for (size_t i = 0; i < images->count; i++)
		add_image(&details, images, &images->images[i], name_width,
		          arch_width);
	add_advice(&next, images, uuid_index_searched(index), has_details);
	notice_give(
	        notices,
	        &(struct notice){ .kind = NOTICE_MISSING_SYMBOLS,
	                          .text = str_cstr(&text),
	                          .details = str_cstr(&details),
	                          .next = next.size ? str_cstr(&next) : NULL });
}
