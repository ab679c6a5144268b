// SPDX-License-Identifier: MIT
/*
 * The symbol store over a directory whose files are the input: each begins with
 * a byte that says which it is, and two of its size.
 *
 * Children read debug information as ever. One that crashes is an error of the
 * store, and a fault here.
 */
#include "lib/symbols/store.h"

#include "lib/base/mem.h"
#include "lib/base/str.h"
#include "lib/base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define IMAGES_MAX 4

#define BUNDLE "A.dSYM"
#define MAP    "5C4C44BD-5555-3144-A18B-1D7A14ACC538"

static const char *const directories[] = {
	"",
	BUNDLE,
	BUNDLE "/Contents",
	BUNDLE "/Contents/Resources",
	BUNDLE "/Contents/Resources/DWARF",
};

static const char *const files[] = {
	BUNDLE "/Contents/Resources/DWARF/A",
	BUNDLE "/Contents/Resources/DWARF/B",
	BUNDLE "/Contents/Info.plist",
	BUNDLE "/Contents/Resources/" MAP ".plist",
	MAP ".bcsymbolmap",
	"A",
	"A.gsym",
	"A.zip",
	"A.tar.gz",
};

static char root[] = "/tmp/apmtool-store-XXXXXX";

static void path_of(const char *name, struct str *path)
{
	str_clear(path);
	str_addf(path, "%s/%s", root, name);
}

static void remove_files(void)
{
	SCOPED(str_release) struct str path = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		path_of(files[i], &path);
		unlink(str_cstr(&path));
	}
}

static void remove_all(void)
{
	SCOPED(str_release) struct str path = { 0 };

	remove_files();
	for (size_t i = ARRAY_SIZE(directories); i--;) {
		path_of(directories[i], &path);
		rmdir(str_cstr(&path));
	}
}

static void make_directories(void)
{
	static bool made;
	SCOPED(str_release) struct str path = { 0 };

	if (made)
		return;
	made = true;
	if (!mkdtemp(root) || atexit(remove_all))
		abort();
	for (size_t i = 1; i < ARRAY_SIZE(directories); i++) {
		path_of(directories[i], &path);
		if (mkdir(str_cstr(&path), 0700))
			abort();
	}
}

static void write_files(const uint8_t *data, size_t size)
{
	SCOPED(str_release) struct str path = { 0 };

	while (size > 3) {
		size_t length = data[1] | (size_t)data[2] << 8;
		FILE *file;

		path_of(files[data[0] % ARRAY_SIZE(files)], &path);
		data += 3;
		size -= 3;
		if (length > size)
			length = size;
		file = fopen(str_cstr(&path), "wb");
		if (!file || fwrite(data, 1, length, file) != length)
			abort();
		fclose(file);
		data += length;
		size -= length;
	}
}

/** Did the child die? A reason may quote names of files, with any words. */
static bool is_of_dead_child(const char *reason)
{
	struct text rest = text_from(reason);

	return text_take(&rest,
	                 "debug information is malformed: the reader ") &&
	       (text_starts(rest, "crashed (") ||
	        text_starts(rest, "exited with "));
}

static void resolve(struct symbol_store *store, const struct uuid *uuid)
{
	static const struct symbol_query queries[] = {
		{ 0x10, true },       { 0, false },     { 0x408, false },
		{ 0x1000, true },     { 0x100, false }, { 0x4000, true },
		{ UINT64_MAX, false }
	};
	struct symbol_answer answers[ARRAY_SIZE(queries)];
	struct symbol_request request = {
		.uuid = *uuid,
		.queries = queries,
		.count = ARRAY_SIZE(queries),
		.answers = answers,
	};
	const char *reason;

	symbol_store_resolve(store, &request, 1);
	for (size_t i = 0; i < request.count; i++)
		for (size_t k = 0; k < answers[i].count; k++)
			(void)strlen(answers[i].calls[k].name);
	reason = request.image.reason;
	if (reason && is_of_dead_child(reason))
		__builtin_trap();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct symbol_store *store =
	        symbol_store_new(&(struct symbol_store_options){ .jobs = 1 });
	struct uuid uuids[IMAGES_MAX];
	const struct uuid_entry *entries;
	size_t count;

	make_directories();
	write_files(data, size);
	error_free(symbol_store_add_path(store, root));
	error_free(symbol_store_add_maps(store, root));
	entries = uuid_index_all(symbol_store_index(store), &count);
	if (count > IMAGES_MAX)
		count = IMAGES_MAX;
	for (size_t i = 0; i < count; i++)
		uuids[i] = entries[i].uuid;
	for (size_t i = 0; i < count; i++)
		resolve(store, &uuids[i]);
	symbol_store_trim(store);
	symbol_store_free(store);
	remove_files();
	return 0;
}
