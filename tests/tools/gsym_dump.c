// SPDX-License-Identifier: MIT
/**
 * Test only: make a GSYM image of all debug information in one slice, and say
 * what our reader finds in it.
 *
 *     gsym_dump FILE ARCH IMAGE <addresses >calls
 *
 * Addresses are hex, one a line. For each, in the order given, the calls
 * innermost first:
 *
 *     address TAB name TAB path TAB line TAB borrowed
 *
 * and `address TAB none` where there is no answer. tests/check_gsym.py
 * compares that with llvm-gsymutil.
 */
#include "lib/base/file.h"
#include "lib/base/number.h"
#include "lib/base/out.h"
#include "lib/darwin/cpu.h"
#include "lib/object/macho/macho.h"
#include "lib/symbols/gsym/gsym.h"
#include "tests/unit/lib/symbols/macho_debug.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define INPUT_LIMIT_BYTES ((size_t)256 << 20)

static struct error *parse_slice(struct bytes file, const char *arch,
                                 struct macho *ret)
{
	struct macho_slices slices;
	struct error *err = macho_slices(file, &slices);

	if (err)
		return err;
	for (size_t i = 0; i < slices.count; i++) {
		const struct macho_slice *slice = &slices.slices[i];

		if (darwin_arch_matches(arch, slice->cpu_type,
		                        slice->cpu_subtype))
			return macho_parse(
			        bytes_part(file, slice->offset, slice->size),
			        ret);
	}
	return error_new(ERROR_NOT_FOUND, "there is no slice '%s'", arch);
}

static struct error *save(const char *path, const struct str *image)
{
	struct out *out;
	struct error *err = out_open(path, &out);

	if (err)
		return err;
	out_add_bytes(out, image->data, image->size);
	return out_close(out);
}

static struct error *make_image(const char *path, const char *arch,
                                struct str *image)
{
	SCOPED(file_release) struct file_data file = { 0 };
	struct macho macho = { 0 };
	struct error *err = file_map(path, &file);

	if (!err)
		err = parse_slice(file.bytes, arch, &macho);
	if (!err)
		err = debug_worker_run(&macho, DEBUG_READER_NATIVE, NULL, 0,
		                       image, NULL);
	macho_release(&macho);
	return err;
}

static void print_calls(const struct gsym *gsym, uint64_t address)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct gsym_answer answer;

	if (!gsym_lookup(gsym, address, &arena, &answer)) {
		printf("%#" PRIx64 "\tnone\n", address);
		return;
	}
	for (size_t i = 0; i < answer.count; i++) {
		const struct gsym_call *call = &answer.calls[i];

		printf("%#" PRIx64 "\t%s\t%s%s%s\t%" PRIu32 "\t%d\n", address,
		       call->name, call->directory,
		       call->directory[0] ? "/" : "", call->file, call->line,
		       call->line_borrowed);
	}
}

static struct error *look_up(const struct str *image)
{
	SCOPED(file_release) struct file_data input = { 0 };
	struct gsym gsym;
	struct text rest;
	struct text line;
	struct error *err;

	err = gsym_open(bytes_from_text(str_text(image)), &gsym);
	if (!err)
		err = file_read("-", INPUT_LIMIT_BYTES, &input);
	if (err)
		return err;
	rest = bytes_text(input.bytes);
	while (text_next_line(&rest, &line)) {
		uint64_t address;

		if (!number_hex(line, &address))
			return error_new(ERROR_FORMAT, "'%.*s' is no address",
			                 TEXT_ARGS(line));
		print_calls(&gsym, address);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	SCOPED(str_release) struct str image = { 0 };
	SCOPED(error_drop) struct error *err = NULL;

	if (argc != 4)
		err = error_new(ERROR_USAGE,
		                "usage: gsym_dump FILE ARCH IMAGE");
	if (!err)
		err = make_image(argv[1], argv[2], &image);
	if (!err)
		err = save(argv[3], &image);
	if (!err)
		err = look_up(&image);
	if (err) {
		fprintf(stderr, "gsym_dump: %s\n", error_message(err));
		return EXIT_FAILURE;
	}
	return fflush(stdout) || ferror(stdout) ? EXIT_FAILURE : EXIT_SUCCESS;
}
