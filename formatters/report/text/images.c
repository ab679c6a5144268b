// SPDX-License-Identifier: MIT
#include "formatters/report/text/parts.h"

#define ADDRESS_COLUMNS 18
/** KSCrash's text for a missing UUID. */
#define NO_UUID "(null)"

static bool is_absolute(const struct report_image *image)
{
	return image->kind == 'A';
}

/** As in spindumps, for an unknown end. */
static void add_open_range(uint64_t first, struct out *out)
{
	struct str *text = out_str(out);

	str_add_address(text, first, ADDRESS_COLUMNS);
	str_addf(text, " - %*s ", ADDRESS_COLUMNS, "???");
}

static void add_range(uint64_t first, uint64_t last, struct out *out)
{
	struct str *text = out_str(out);

	str_add_address(text, first, ADDRESS_COLUMNS);
	str_add(text, " - ");
	str_add_address(text, last, ADDRESS_COLUMNS);
	str_add_char(text, ' ');
}

static const char *or_unknown(const char *text)
{
	return text ? text : "???";
}

/** Apple prints zeros for absolute addresses only. */
static bool has_no_uuid(const struct report_image *image)
{
	return uuid_is_zero(&image->uuid) && !is_absolute(image);
}

static void add_ios(const struct report_image *image, struct out *out)
{
	char uuid[UUID_TEXT_SIZE];

	out_add_visible(out, or_unknown(image->name));
	out_add(out, " ");
	out_add_visible(out, image->arch ? image->arch : "unknown-arch");
	out_add(out, "  <");
	out_add(out, has_no_uuid(image)
	                     ? NO_UUID
	                     : uuid_format_compact(&image->uuid, uuid));
	out_add(out, "> ");
	out_add_visible(out, or_unknown(image->path));
}

static void add_macos(const struct report_image *image, struct out *out)
{
	const char *name = image->bundle_id ? image->bundle_id : image->name;
	char uuid[UUID_TEXT_SIZE];

	out_add_visible(out, or_unknown(name));
	out_add(out, " (");
	out_add_visible(out, image->version ? image->version : "*");
	out_add(out, ") <");
	out_add(out, has_no_uuid(image)
	                     ? NO_UUID
	                     : uuid_format_lower(&image->uuid, uuid));
	out_add(out, "> ");
	out_add_visible(out, or_unknown(image->path));
}

void crash_text_images(const struct report *report, bool macos, struct out *out)
{
	out_add(out, "\nBinary Images:\n");
	if (!report->image_count)
		out_add(out, "Binary images description not available\n");
	for (size_t i = 0; i < report->image_count; i++) {
		const struct report_image *image = &report->images[i];

		// The image of absolute addresses is no image: Apple prints it
		// as all there is.
		if (is_absolute(image))
			add_range(0, UINT64_MAX, out);
		else if (image->end_unknown)
			add_open_range(image->base, out);
		else
			add_range(image->base,
			          image->base +
			                  (image->size ? image->size - 1 : 0),
			          out);
		if (macos)
			add_macos(image, out);
		else
			add_ios(image, out);
		out_add(out, "\n");
	}
}
