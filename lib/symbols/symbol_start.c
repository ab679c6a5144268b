// SPDX-License-Identifier: MIT
#include "lib/symbols/symbol_start.h"

#include "lib/base/arena.h"
#include "lib/base/file.h"
#include "lib/symbols/demangle/demangle.h"
#include "lib/text/archive.h"

/** Max names of a table to demangle; larger tables are not searched. */
#define DEMANGLED_MAX 4096

struct wanted {
	struct text name;
	struct text word; ///< part of the mangled name, too; or empty
	size_t demangled_count;
	struct arena arena;
};

/**
 * The longest run of letters and digits, which every mangling keeps in one
 * piece.
 */
static struct text longest_word(struct text name)
{
	struct text longest = TEXT_NONE;
	size_t at = 0;

	while (at < name.size) {
		size_t size = 0;

		while (at + size < name.size &&
		       (text_is_alnum(name.data[at + size]) ||
		        name.data[at + size] == '_'))
			size++;
		if (size > longest.size)
			longest = text_first(text_after(name, at), size);
		at += size + !size;
	}
	return longest;
}

static bool holds(struct text name, struct text word)
{
	size_t at = 0;

	while (word.size && name.size - at >= word.size) {
		size_t step = text_find_char(text_after(name, at), *word.data);

		if (step == TEXT_NOWHERE || name.size - at - step < word.size)
			return false;
		at += step;
		if (!memcmp(name.data + at, word.data, word.size))
			return true;
		at++;
	}
	return false;
}

/** Does the symbol have that name, in the table or demangled? */
static bool is_wanted(struct text symbol, void *context)
{
	struct wanted *wanted = context;
	struct text plain = symbol;
	bool is;

	// Names of C have an additional `_`.
	text_take(&plain, "_");
	if (text_equal(symbol, wanted->name) || text_equal(plain, wanted->name))
		return true;
	if (!demangle_knows(symbol) && !demangle_knows(plain))
		return false;
	if (!holds(symbol, wanted->word) ||
	    ++wanted->demangled_count > DEMANGLED_MAX)
		return false;
	is = text_is(wanted->name, demangle(symbol, true, &wanted->arena));
	arena_clear(&wanted->arena);
	return is;
}

bool symbol_start_find(const struct uuid_entry *entry, struct text name,
                       uint64_t *entries_read, struct symbol_start *ret)
{
	SCOPED(file_release) struct file_data file = { 0 };
	SCOPED(open_source_close) struct open_source open = { 0 };
	struct wanted wanted = { .name = name, .word = longest_word(name) };
	struct error *err = NULL;
	bool found = false;

	if (!symbol_source_of(entry->kind)->find_named || !name.size)
		return false;
	err = archive_map(entry->path, &file);
	if (!err)
		err = open_source_open(&open, entry->kind, file.bytes,
		                       &entry->at);
	if (!err) {
		*entries_read += open.state.symbol_count;
		found = open.source->find_named(open.self, is_wanted, &wanted,
		                                &ret->address);
		ret->text_address = open.state.base_address;
		ret->text_size = open.state.span_bytes;
	}
	arena_release(&wanted.arena);
	// If the file changed meanwhile, ignore the result.
	err = file_reading_error(err, file.bytes);
	found &= !err && wanted.demangled_count <= DEMANGLED_MAX;
	error_free(err);
	return found && ret->address >= ret->text_address;
}
