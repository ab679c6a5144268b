// SPDX-License-Identifier: MIT
#include "cmd/run/atos_hint.h"

#include "cmd/run/shell_word.h"
#include "lib/analysis/symbolicate/symbolicate.h"
#include "lib/base/utf8.h"
#include "lib/darwin/cpu.h"
#include "lib/darwin/system_images.h"

#include <inttypes.h>
#include <string.h>

// Max commands and addresses printed.
#define IMAGES_MAX    3
#define ADDRESSES_MAX 8

/** Address range of dyld's shared cache (xnu's vm_shared_region.h). */
#define ARM64_CACHE_START  UINT64_C(0x180000000)
#define ARM64_CACHE_END    UINT64_C(0x300000000)
#define X86_64_CACHE_START UINT64_C(0x7ff800000000)

/** An image named by frames, with its first addresses. */
struct image {
	const char *name;
	uint64_t base;
	uint64_t addresses[ADDRESSES_MAX];
	size_t count;
	size_t skipped; ///< its further frames
};

struct images {
	const struct report *report;
	struct image items[IMAGES_MAX];
	size_t count;
	size_t skipped;   ///< frames in further images
	bool has_callers; ///< it has a return address
	const char *arch; ///< shown by system frames
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
	else
		image->skipped++;
}

/** The address of the system's cache shows the kind of processor. */
static void note_arch(struct images *images, const struct report_frame *frame)
{
	if (!darwin_image_is_system(frame->image_name))
		return;
	if (frame->address >= ARM64_CACHE_START &&
	    frame->address < ARM64_CACHE_END)
		images->arch = "arm64";
	else if (frame->address >= X86_64_CACHE_START)
		images->arch = "x86_64";
}

static void add_frame(struct images *images, const struct report_frame *frame,
                      bool is_pc)
{
	struct image *image;
	uint64_t base;

	if (!frame->image_name)
		return;
	note_arch(images, frame);
	if (frame->call_count || darwin_image_is_system(frame->image_name) ||
	    !report_frame_base(images->report, frame, &base))
		return;
	image = find_image(images, frame->image_name, base);
	if (!image) {
		images->skipped++;
		return;
	}
	images->has_callers |= !is_pc;
	add_address(image, frame->address - !is_pc);
}

static void add_stack(struct report_stack *stack, void *context)
{
	for (size_t i = 0; i < stack->count; i++)
		add_frame(context, &stack->frames[i],
		          symbolicate_is_pc(stack, i));
}

/** From the report or its addresses; NULL: unknown. */
static const char *arch_of(const struct images *images)
{
	const char *type = images->report->code_type;
	const char *arch = darwin_arch_of_code_type(type);

	if (arch && darwin_arch_is_name(text_from(arch)))
		return arch;
	// Possibly arm64e, but apps rarely are.
	if (type && !strcmp(type, "ARM-64"))
		return "arm64";
	return images->arch;
}

/**
 * The user's dSYM with this name; NULL: none, or several.
 *
 * @param arch  Set to its only architecture if unknown.
 */
static const char *find_dsym(struct uuid_index *index, const char *name,
                             const char **arch)
{
	size_t count, slices = 0;
	const struct uuid_entry *entries =
	        uuid_index_find_name(index, name, &count);
	const struct uuid_entry *found = NULL;

	for (size_t i = 0; i < count; i++) {
		const struct uuid_entry *entry = &entries[i];

		if (!uuid_entry_is_dsym(entry) || entry->in_archive)
			continue;
		if (found && strcmp(found->path, entry->path) != 0)
			return NULL;
		found = entry;
		slices++;
	}
	if (slices == 1 && !*arch)
		*arch = uuid_entry_arch(found);
	return found ? found->path : NULL;
}

static void add_dsym(struct str *text, const char *path, const char *name)
{
	SCOPED(str_release) struct str invented = { 0 };

	str_addf(&invented, "%s.dSYM", name);
	shell_word_add(text, path ? path : str_cstr(&invented));
}

static void add_command(struct str *text, const struct images *images,
                        const struct image *image, struct uuid_index *index)
{
	const char *arch = arch_of(images);
	const char *path = find_dsym(index, image->name, &arch);

	str_add(text, "  apmtool atos -o ");
	add_dsym(text, path, image->name);
	str_addf(text, " -arch %s -l 0x%" PRIx64, arch ? arch : "arm64",
	         image->base);
	for (size_t i = 0; i < image->count; i++)
		str_addf(text, " 0x%" PRIx64, image->addresses[i]);
	str_add_char(text, '\n');
	if (!arch)
		str_add(text, "  the architecture is unknown: it may be x86_64 "
		              "instead of arm64\n");
	if (!image->skipped)
		return;
	str_addf(text, "  not shown: %zu more frame%s in ", image->skipped,
	         text_plural(image->skipped));
	utf8_add_visible(text, text_from(image->name));
	str_add_char(text, '\n');
}

static void add_commands(struct str *text, const struct images *images,
                         struct uuid_index *index)
{
	for (size_t i = 0; i < images->count; i++)
		add_command(text, images, &images->items[i], index);
	if (images->has_callers)
		str_add(text, "  for callers, the address is the return "
		              "address - 1, inside of the call\n");
	if (images->skipped)
		str_addf(text, "  not shown: %zu frame%s in other images\n",
		         images->skipped, text_plural(images->skipped));
}

void atos_hint_notice(const struct notices *to, struct report *report,
                      struct uuid_index *index)
{
	SCOPED(str_release) struct str text = { 0 };
	struct images images = { .report = report };

	if (report->image_count)
		return;
	report_each_stack(report, add_stack, &images);
	if (!images.count)
		return;
	add_commands(&text, &images, index);
	notice_give(to, &(struct notice){
	                        .kind = NOTICE_WARNING,
	                        .place = report->input ? report->input : "-",
	                        .text = "no list of images, so no dSYM can be "
	                                "matched. With the dSYM of this build, "
	                                "look up each image's frames",
	                        .next = str_cstr(&text),
	                });
}
