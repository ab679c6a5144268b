#include "cmd/run/imageless.h"

#include "lib/base/str.h"
#include "lib/base/utf8.h"
#include "lib/darwin/cpu.h"

#include <inttypes.h>
#include <string.h>

// Enough to see what to do; a line of a terminal holds no more addresses.
#define IMAGES_MAX    3
#define ADDRESSES_MAX 4

/** An image that frames name, and the first addresses in it. */
struct image {
	const char *name;
	uint64_t base;
	uint64_t addresses[ADDRESSES_MAX];
	size_t count;
};

struct images {
	const struct report *report;
	struct image items[IMAGES_MAX];
	size_t count;
};

static struct image *find_image(struct images *images, const char *name,
                                uint64_t base)
{
	for (size_t i = 0; i < images->count; i++)
		if (images->items[i].base == base)
			return &images->items[i];
	if (images->count == IMAGES_MAX)
		return NULL;
	images->items[images->count] =
	        (struct image){ .name = name, .base = base };
	return &images->items[images->count++];
}

static void add_address(struct image *image, uint64_t address)
{
	for (size_t i = 0; i < image->count; i++)
		if (image->addresses[i] == address)
			return;
	if (image->count < ADDRESSES_MAX)
		image->addresses[image->count++] = address;
}

static void add_stack(struct report_stack *stack, void *context)
{
	struct images *images = context;

	for (size_t i = 0; i < stack->count; i++) {
		const struct report_frame *frame = &stack->frames[i];
		struct image *image;
		uint64_t base;

		if (frame->call_count || !frame->image_name ||
		    !report_frame_base(images->report, frame, &base))
			continue;
		image = find_image(images, frame->image_name, base);
		if (image)
			add_address(image, frame->address);
	}
}

/** NULL: the report does not say. */
static const char *arch_of(const char *code_type)
{
	const char *arch = darwin_arch_of_code_type(code_type);

	if (arch && darwin_arch_is_name(text_from(arch)))
		return arch;
	// It may be arm64e as well, but apps rarely are.
	return code_type && !strcmp(code_type, "ARM-64") ? "arm64" : NULL;
}

/** @param arch  May be NULL. */
static void add_line(struct str *text, const struct image *image,
                     const char *arch)
{
	str_add(text, "  apmtool atos -o <dSYM of ");
	utf8_add_visible(text, text_from(image->name));
	str_add(text, ">");
	if (arch)
		str_addf(text, " -arch %s", arch);
	str_addf(text, " -l 0x%" PRIx64, image->base);
	for (size_t i = 0; i < image->count; i++)
		str_addf(text, " 0x%" PRIx64, image->addresses[i]);
	str_add_char(text, '\n');
}

void imageless_warn(const struct notices *notices, struct report *report)
{
	SCOPED(str_release) struct str text = { 0 };
	struct images images = { .report = report };

	if (report->image_count)
		return;
	report_each_stack(report, add_stack, &images);
	if (!images.count)
		return;
	for (size_t i = 0; i < images.count; i++)
		add_line(&text, &images.items[i], arch_of(report->code_type));
	notice_give(notices,
	            &(struct notice){
	                    .kind = NOTICE_WARNING,
	                    .place = report->input ? report->input : "-",
	                    .text = "no list of images, so no dSYM can be "
	                            "matched. Look up each image's frames",
	                    .next = str_cstr(&text),
	            });
}
