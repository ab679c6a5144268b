// SPDX-License-Identifier: MIT
/**
 * Test only: what the symbol store says of file addresses, a line a call.
 *
 *     resolve FILE ARCH <addresses >calls
 *
 * Addresses are hex, one a line. For each, in the order given, the calls
 * innermost first:
 *
 *     address TAB source TAB linkage name TAB name TAB path TAB line TAB
 * borrowed
 *
 * and `address TAB none` where there is no answer. The differential test
 * compares that with llvm-symbolizer.
 */
#include "lib/base/mem.h"
#include "lib/base/number.h"
#include "lib/symbols/store.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INPUT_LIMIT_BYTES ((size_t)256 << 20)

static const char *const source_names[] = {
	[SYMBOL_NONE] = "none",
	[SYMBOL_SYMTAB] = "symtab",
	[SYMBOL_DWARF] = "dwarf",
};

static int fail(struct error *err)
{
	fprintf(stderr, "resolve: %s\n", error_message(err));
	error_free(err);
	return EXIT_FAILURE;
}

static struct error *find_slice(struct uuid_index *index, const char *arch,
                                const struct uuid_entry **ret)
{
	size_t count;
	const struct uuid_entry *entries = uuid_index_all(index, &count);

	for (size_t i = 0; i < count; i++) {
		if (!uuid_entry_has_arch(&entries[i], arch))
			continue;
		*ret = &entries[i];
		return NULL;
	}
	return error_new(ERROR_NOT_FOUND, "there is no slice '%s'", arch);
}

static struct error *read_addresses(struct text rest, struct arena *arena,
                                    uint64_t **ret, size_t *ret_count)
{
	uint64_t *addresses = NULL;
	size_t count = 0, cap = 0;
	struct text line;

	while (text_next_line(&rest, &line)) {
		uint64_t address;

		if (!number_hex(line, &address))
			return error_new(ERROR_FORMAT, "'%.*s' is no address",
			                 TEXT_ARGS(line));
		ARENA_GROW(arena, addresses, count, cap);
		addresses[count++] = address;
	}
	*ret = addresses;
	*ret_count = count;
	return NULL;
}

static void print_calls(uint64_t address, const struct symbol_answer *answer)
{
	const char *source = source_names[answer->source];

	if (!answer->count)
		printf("%#" PRIx64 "\tnone\n", address);
	for (size_t i = 0; i < answer->count; i++) {
		const struct symbol_call *call = &answer->calls[i];

		printf("%#" PRIx64 "\t%s\t%s\t%s\t", address, source,
		       call->mangled, call->name);
		if (call->file && call->directory)
			printf("%s%s", call->directory,
			       strcmp(call->directory, "/") ? "/" : "");
		printf("%s\t%" PRIu32 "\t%d\n", call->file ? call->file : "",
		       call->line, call->line_borrowed);
	}
}

static struct error *resolve(const struct uuid_entry *entry, struct text input)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct symbol_query *queries;
	struct symbol_answer *answers;
	struct symbol_request request = { .uuid = entry->uuid };
	struct symbol_store *store;
	uint64_t text_address = 0, text_size, *addresses = NULL;
	size_t count = 0;
	struct error *err;

	err = uuid_entry_read_text(entry, &text_address, &text_size);
	if (!err)
		err = read_addresses(input, &arena, &addresses, &count);
	if (err)
		return err;
	queries = arena_array(&arena, count, sizeof(*queries));
	answers = arena_array(&arena, count, sizeof(*answers));
	for (size_t i = 0; i < count; i++)
		queries[i].offset = addresses[i] - text_address;
	request.queries = queries;
	request.count = count;
	request.answers = answers;
	store = symbol_store_new(&(struct symbol_store_options){ .jobs = 1 });
	symbol_store_allow(store, &entry->uuid, entry, 1);
	symbol_store_resolve(store, &request, 1);
	if (request.image.reason)
		err = error_new(ERROR_FORMAT, "%s: %s", entry->path,
		                request.image.reason);
	for (size_t i = 0; i < count && !err; i++)
		print_calls(addresses[i], &answers[i]);
	symbol_store_free(store);
	return err;
}

int main(int argc, char **argv)
{
	SCOPED(file_release) struct file_data input = { 0 };
	struct uuid_index *index = uuid_index_new();
	const struct uuid_entry *entry = NULL;
	struct error *err = NULL;

	if (argc != 3)
		err = error_new(ERROR_USAGE, "usage: resolve FILE ARCH");
	if (!err)
		err = file_read("-", INPUT_LIMIT_BYTES, &input);
	if (!err)
		err = uuid_index_add(index, argv[1]);
	if (!err)
		err = find_slice(index, argv[2], &entry);
	if (!err)
		err = resolve(entry, bytes_text(input.bytes));
	uuid_index_free(index);
	if (err)
		return fail(err);
	return fflush(stdout) || ferror(stdout) ? EXIT_FAILURE : EXIT_SUCCESS;
}
