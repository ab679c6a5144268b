// SPDX-License-Identifier: MIT
/**
 * Test only: do both readers of debug information say the same?
 *
 *     readers FILE…
 *
 * Of every slice of each file, all functions are read by our own reader and by
 * libdwarf, and those at some addresses; the GSYM images made of them must be
 * equal, byte for byte. Prints a line a slice. Status 1: there are differences.
 */
#include "lib/base/file.h"
#include "lib/darwin/cpu.h"
#include "lib/object/dwarf/macho_debug.h"
#include "lib/object/macho/macho.h"
#include "lib/symbols/gsym/gsym.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** Every so many functions one is asked for alone. */
#define ASKED_APART 37

/** What one reader says of some addresses, or of all code. */
struct reading {
	struct arena arena;
	struct debug_info info;
	struct str image;
};

static void reading_release(struct reading *reading)
{
	arena_release(&reading->arena);
	str_release(&reading->image);
}

static struct error *read_by(const struct macho *macho,
                             enum debug_reader reader,
                             const uint64_t *addresses, size_t count,
                             struct reading *ret)
{
	const struct debug_object object = macho_debug_object(macho);
	struct error *err = debug_info_collect(&object, reader, addresses,
	                                       count, &ret->arena, &ret->info);

	return err ? err : gsym_write(&ret->info, &macho->uuid, &ret->image);
}

static bool compare(const struct macho *macho, const uint64_t *addresses,
                    size_t count, struct reading *ret)
{
	SCOPED(reading_release) struct reading other = { 0 };
	struct error *err =
	        read_by(macho, DEBUG_READER_NATIVE, addresses, count, ret);
	bool equal;

	if (!err)
		err = read_by(macho, DEBUG_READER_LIBDWARF, addresses, count,
		              &other);
	if (err) {
		fprintf(stderr, "readers: %s\n", error_message(err));
		error_free(err);
		return false;
	}
	equal = ret->image.size == other.image.size &&
	        !memcmp(ret->image.data, other.image.data, other.image.size) &&
	        ret->info.bad_unit_count == other.info.bad_unit_count;
	if (!equal)
		printf("  of %zu addresses: %zu and %zu functions, %zu and "
		       "%zu bad units (%s), images of %zu and %zu bytes\n",
		       count, ret->info.function_count,
		       other.info.function_count, ret->info.bad_unit_count,
		       other.info.bad_unit_count,
		       ret->info.bad_unit_reason ? ret->info.bad_unit_reason
		                                 : "none",
		       ret->image.size, other.image.size);
	return equal;
}

static bool compare_slice(const char *path, const struct macho *macho)
{
	SCOPED(reading_release) struct reading all = { 0 };
	SCOPED(reading_release) struct reading some = { 0 };
	uint64_t *addresses;
	size_t count = 0;
	bool equal = compare(macho, NULL, 0, &all);

	addresses = arena_array(&all.arena, all.info.function_count,
	                        sizeof(*addresses));
	for (size_t i = 0; i < all.info.function_count; i += ASKED_APART)
		addresses[count++] = all.info.functions[i].range.high - 1;
	if (equal && count)
		equal = compare(macho, addresses, count, &some);
	printf("%s %s: %zu functions, %zu bytes as GSYM: %s\n", path,
	       darwin_arch_label(macho->cpu_type, macho->cpu_subtype),
	       all.info.function_count, all.image.size,
	       equal ? "equal" : "different");
	return equal;
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
		if (!err && debug_info_present(&object) &&
		    !compare_slice(path, &macho))
			*equal = false;
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
