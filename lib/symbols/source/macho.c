// SPDX-License-Identifier: MIT
#include "lib/symbols/source/macho.h"

#include "lib/base/file.h"
#include "lib/base/limit.h"
#include "lib/base/mem.h"
#include "lib/darwin/cpu.h"
#include "lib/object/dwarf/macho_debug.h"
#include "lib/object/macho/macho.h"
#include "lib/symbols/source/symtab.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define CPU_ARCH_ABI64 0x01000000u

/** Max size of load commands: images have about 10 KB, kernels 100 KB. */
#define COMMANDS_MAX_BYTES ((uint64_t)1 << 20)

// Locators

struct symbol_locator macho_locator(const struct macho_slice *slice,
                                    uint32_t file_type)
{
	return (struct symbol_locator){
		.offset = slice->offset,
		.own = { slice->size, file_type,
		         (uint64_t)slice->cpu_subtype << 32 | slice->cpu_type },
	};
}

static const char *type_name(uint64_t type)
{
	static const char *const names[] = {
		[MACHO_OBJECT] = "object", [MACHO_EXECUTE] = "executable",
		[MACHO_DYLIB] = "dylib",   [MACHO_DYLINKER] = "dylinker",
		[MACHO_BUNDLE] = "bundle", [MACHO_DSYM] = "dsym",
		[MACHO_KEXT] = "kext",
	};

	return type < ARRAY_SIZE(names) && names[type] ? names[type] : "other";
}

static void describe(const struct symbol_locator *at, struct symbol_facts *ret)
{
	uint32_t cpu_type = (uint32_t)at->own[2];

	*ret = (struct symbol_facts){
		.role = at->own[1] == MACHO_DSYM     ? SYMBOL_ROLE_DEBUG
		        : at->own[1] == MACHO_OBJECT ? SYMBOL_ROLE_OBJECT
		                                     : SYMBOL_ROLE_IMAGE,
		.type = type_name(at->own[1]),
		.cpu_type = cpu_type,
		.cpu_subtype = (uint32_t)(at->own[2] >> 32),
		.is_64 = cpu_type & CPU_ARCH_ABI64,
		.size_bytes = at->own[0],
	};
}

// Finding slices

/** Is it another kind of slice in a universal file, a library or bitcode? */
static bool is_other_slice(struct bytes head)
{
	static const char *const magics[] = { "!<arch>\n", "!<thin>\n",
		                              "BC\xc0\xde",
		                              "\xde\xc0\x17\x0b" };

	for (size_t i = 0; i < ARRAY_SIZE(magics); i++)
		if (text_starts(bytes_text(head), magics[i]))
			return true;
	return false;
}

/** Report why @p head, the start of a slice, is not an image. */
static struct error *why_damaged(struct bytes head, uint64_t needed)
{
	struct macho macho = { 0 };
	struct error *err;

	if (is_other_slice(head))
		return error_new(ERROR_UNSUPPORTED, "not an image");
	if (needed > COMMANDS_MAX_BYTES)
		return error_new(ERROR_LIMIT,
		                 "load commands: %" PRIu64
		                 " bytes are more than 1 MB",
		                 needed);
	err = macho_parse(head, &macho);
	macho_release(&macho);
	if (!err)
		return file_changed_error();
	if (error_code(err) != ERROR_UNSUPPORTED)
		return err;
	error_free(err);
	return error_new(ERROR_FORMAT, "damaged: it is not a Mach-O image");
}

/**
 * Read the first @p size bytes of a slice, or fewer at its end.
 *
 * @param buffer  The caller frees it; @p ret points into it or into the head.
 */
static struct error *read_slice_head(const struct symbol_finder *finder,
                                     const struct macho_slice *slice,
                                     uint64_t size, uint8_t **buffer,
                                     struct bytes *ret)
{
	struct error *err;

	if (size > slice->size)
		size = slice->size;
	if (bytes_has(finder->head, slice->offset, size)) {
		*ret = bytes_part(finder->head, slice->offset, size);
		return NULL;
	}
	*buffer = mem_realloc(*buffer, (size_t)size, 1);
	err = finder->peek(finder, slice->offset, *buffer, (size_t)size,
	                   &ret->size);
	ret->data = *buffer;
	return err;
}

/**
 * Identify a slice; an error if it is damaged.
 *
 * @param slice  Its own CPU type replaces that of the universal header.
 */
static struct error *read_slice(const struct symbol_finder *finder,
                                struct macho_slice *slice, struct uuid *uuid,
                                uint32_t *file_type)
{
	SCOPED(mem_drop) uint8_t *buffer = NULL;
	uint64_t size = SYMBOL_HEAD_BYTES;
	struct bytes head = { 0 };
	uint64_t needed = 0;
	struct error *err;

	// Read again if the load commands are longer than the head.
	for (int attempt = 0; attempt < 2; attempt++) {
		err = read_slice_head(finder, slice, size, &buffer, &head);
		if (err)
			return err;
		if (macho_peek_uuid(head, uuid, file_type, &slice->cpu_type,
		                    &slice->cpu_subtype, &needed))
			return NULL;
		if (needed <= head.size || needed > COMMANDS_MAX_BYTES)
			break;
		size = needed;
	}
	return why_damaged(head, needed);
}

static void find_slice(const struct symbol_finder *finder,
                       const struct macho_slice *slice, bool is_fat)
{
	struct macho_slice found = *slice;
	struct symbol_locator at;
	struct uuid uuid = { 0 };
	uint32_t file_type = 0;
	struct error *err = read_slice(finder, &found, &uuid, &file_type);

	if (err && error_code(err) == ERROR_UNSUPPORTED) {
		// For example a universal static library.
		error_free(err);
		return;
	}
	if (err) {
		if (is_fat)
			err = error_prefix(
			        err, "slice %s",
			        darwin_arch_label(slice->cpu_type,
			                          slice->cpu_subtype));
		finder->problem(finder, err);
		return;
	}
	at = macho_locator(&found, file_type);
	finder->found(finder, &uuid, &at);
}

static void find(const struct symbol_finder *finder)
{
	struct macho_slices slices;
	struct error *err = macho_slices_from_head(finder->head,
	                                           finder->size_bytes, &slices);

	if (err) {
		finder->problem(finder, err);
		return;
	}
	for (size_t i = 0; i < slices.count; i++)
		find_slice(finder, &slices.slices[i], slices.fat);
	if (slices.has_outside) {
		err = error_new(ERROR_FORMAT,
		                "slice %s lies outside the file: it is "
		                "truncated",
		                darwin_arch_label(slices.outside.cpu_type,
		                                  slices.outside.cpu_subtype));
		finder->problem(finder, err);
		slices.skipped--;
	}
	if (slices.skipped) {
		err = error_new(ERROR_FORMAT,
		                "%zu slice%s left out: outside the file, "
		                "overlapping, or more than %zu%s",
		                slices.skipped, slices.skipped > 1 ? "s" : "",
		                limit_get(LIMIT_SLICES),
		                limit_hint(LIMIT_SLICES));
		finder->problem(finder, err);
	}
}

// Reading them

static struct error *open_slice(struct bytes file,
                                const struct symbol_locator *at, void **ret)
{
	struct macho *macho = mem_zalloc(1, sizeof(*macho));
	struct error *err =
	        macho_parse(bytes_part(file, at->offset, at->own[0]), macho);

	if (err) {
		free(macho);
		return err;
	}
	*ret = macho;
	return NULL;
}

static void close_slice(void *self)
{
	macho_release(self);
	free(self);
}

static uint64_t debug_bytes(const struct macho *macho)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < macho->section_count; i++)
		if (!strcmp(macho->sections[i].segment, "__DWARF"))
			bytes += macho->sections[i].contents.size;
	return bytes;
}

static void state(const void *self, struct symbol_state *ret)
{
	const struct macho *macho = self;

	*ret = (struct symbol_state){
		.uuid = macho->uuid,
		.platform = macho->platform,
		.no_base = macho->has_text ? NULL : "it has no __TEXT segment",
		.base_address = macho->text_address,
		.span_bytes = macho->text_size,
		.debug = macho_debug_object(macho),
		.debug_bytes = debug_bytes(macho),
		.symbol_count = macho->symbol_count,
	};
	ret->has_lines = debug_info_present(&ret->debug);
}

static struct error *check_whole(const void *self)
{
	const struct macho *macho = self;

	if (macho->file_type != MACHO_DSYM || !macho->skipped_parts)
		return NULL;
	return error_new(ERROR_FORMAT,
	                 "truncated: %zu of its parts lie%s outside the file",
	                 macho->skipped_parts,
	                 macho->skipped_parts == 1 ? "s" : "");
}

static void resolve(void *self, const uint64_t *addresses, size_t count,
                    struct symbol_sink *sink)
{
	SCOPED(mem_drop)
	struct symtab_answer *answers = mem_zalloc(count, sizeof(*answers));

	symtab_resolve(self, addresses, count, answers);
	for (size_t i = 0; i < count; i++) {
		const struct symbol_found found = {
			.name = answers[i].name,
			.is_of_linker = true,
			.start = answers[i].start,
		};

		if (found.name.size)
			sink->take(sink, i, &found);
	}
}

static void find_starts(const void *self, const uint64_t *addresses,
                        size_t count, struct text *names)
{
	SCOPED(mem_drop)
	struct symtab_answer *answers = mem_zalloc(count, sizeof(*answers));

	symtab_find_starts(self, addresses, count, answers);
	for (size_t i = 0; i < count; i++)
		// C's leading underscore precedes the mangled name.
		names[i] = text_take(&answers[i].name, "_") ? answers[i].name
		                                            : TEXT_NONE;
}

static bool find_named(const void *self,
                       bool (*is)(struct text name, void *context),
                       void *context, uint64_t *ret)
{
	return symtab_find_named(self, is, context, ret);
}

const struct symbol_source macho_source = {
	.sniff = macho_sniff,
	.find = find,
	.describe = describe,
	.open = open_slice,
	.state = state,
	.check_whole = check_whole,
	.resolve = resolve,
	.find_starts = find_starts,
	.find_named = find_named,
	.close = close_slice,
};
