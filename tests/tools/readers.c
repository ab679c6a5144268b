// SPDX-License-Identifier: MIT
/**
 * Test only: do both readers of debug information say the same?
 *
 *     readers FILE…
 *
 * Of every slice of each file, all functions are read by our own reader and by
 * libdwarf, and those at some addresses. Prints a line a slice, and the first
 * difference. Status 1: there are differences.
 */
#include "lib/base/file.h"
#include "lib/darwin/cpu.h"
#include "lib/object/dwarf/compare.h"
#include "lib/object/dwarf/macho_debug.h"
#include "lib/object/macho/macho.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** Every so many functions one is asked for alone. */
#define ASKED_APART 37

/** Compare what both say of some of the functions of @p all. */
static struct error *compare_some(const struct debug_object *object,
                                  const struct debug_info *all,
                                  struct debug_differences *ret)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct debug_info infos[2];
	uint64_t *addresses =
	        arena_array(&arena, all->function_count, sizeof(*addresses));
	struct error *err = NULL;
	size_t count = 0;

	*ret = (struct debug_differences){ 0 };
	for (size_t i = 0; i < all->function_count; i += ASKED_APART)
		addresses[count++] = all->functions[i].range.high - 1;
	if (!count)
		return NULL;
	for (unsigned i = 0; i < 2 && !err; i++)
		err = debug_info_collect(
		        object, i ? DEBUG_READER_LIBDWARF : DEBUG_READER_NATIVE,
		        addresses, count, &arena, &infos[i]);
	if (!err)
		debug_info_compare(&infos[0], &infos[1], ret);
	return err;
}

static struct error *compare_slice(const char *path, const struct macho *macho,
                                   bool *equal)
{
	const struct debug_object object = macho_debug_object(macho);
	SCOPED(arena_release) struct arena arena = { 0 };
	struct debug_differences whole;
	struct debug_differences some;
	struct debug_info all;
	struct error *err =
	        debug_info_cross_check(&object, DEBUG_CHECK_ALL, &whole);

	if (!err)
		err = debug_info_collect(&object, DEBUG_READER_NATIVE, NULL, 0,
		                         &arena, &all);
	if (!err)
		err = compare_some(&object, &all, &some);
	if (err)
		return err;
	printf("%s %s: %zu functions, %" PRIu64 " and %" PRIu64
	       " differences%s%s\n",
	       path, darwin_arch_label(macho->cpu_type, macho->cpu_subtype),
	       all.function_count, whole.count, some.count,
	       whole.count || some.count ? ": " : "",
	       whole.count ? whole.first : some.first);
	*equal &= !whole.count && !some.count;
	return NULL;
}

static struct error *compare_file(const char *path, bool *equal)
{
	SCOPED(file_release) struct file_data file = { 0 };
	struct macho_slices slices = { 0 };
	struct error *err = file_map(path, &file);

	if (!err)
		err = macho_slices(file.bytes, &slices);
	for (size_t i = 0; !err && i < slices.count; i++) {
		struct macho macho = { 0 };
		struct debug_object object;

		err = macho_parse(bytes_part(file.bytes,
		                             slices.slices[i].offset,
		                             slices.slices[i].size),
		                  &macho);
		object = macho_debug_object(&macho);
		if (!err && debug_info_present(&object))
			err = compare_slice(path, &macho, equal);
		macho_release(&macho);
	}
	return err;
}

int main(int argc, char **argv)
{
	bool equal = true;

	for (int i = 1; i < argc; i++) {
		struct error *err = compare_file(argv[i], &equal);

		if (!err)
			continue;
		fprintf(stderr, "readers: %s: %s\n", argv[i],
		        error_message(err));
		error_free(err);
		equal = false;
	}
	return equal ? EXIT_SUCCESS : EXIT_FAILURE;
}
