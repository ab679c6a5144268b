// SPDX-License-Identifier: MIT
#include "lib/symbols/debug_image.h"

#include "lib/base/file.h"
#include "lib/base/mem.h"
#include "lib/symbols/demangle/demangle.h"
#include "lib/symbols/demangle/swift.h"
#include "lib/symbols/gsym/gsym.h"

#include <stdio.h>

/**
 * Max bytes of symbols to demangle per byte of a file, when names are
 * completed: in normal files, each symbol belongs to one function.
 */
#define SYMBOL_BYTES_PER_BYTE 4

/** Mangled names and those of Objective-C are complete. */
static bool is_full_name(struct text name)
{
	static const char *const beginnings[] = { "_Z", "$s", "_$s", "$S",
		                                  "_T", "_R", "-[",  "+[" };

	for (size_t i = 0; i < ARRAY_SIZE(beginnings); i++)
		if (text_starts(name, beginnings[i]))
			return true;
	return false;
}

/** Is the name as good as any in the symbol table? */
static bool has_full_name(const struct debug_function *function)
{
	struct text name = text_from(function->name);

	return (function->named_in_c && name.size) || is_full_name(name);
}

/** A name without template arguments: `create` for `create<6>`. */
static struct text bare_name(struct text name)
{
	size_t at = text_starts(name, "operator") ? TEXT_NOWHERE
	                                          : text_find_char(name, '<');

	return at == TEXT_NOWHERE ? name : text_first(name, at);
}

/**
 * Is @p symbol the mangled form of @p plain? A mangled name contains the plain
 * one after its length, except for `operator()`, `~Node` and Swift's `init`,
 * which show in its demangled form. Rejects symbols of other functions that the
 * linker folded to this address.
 */
static bool mangles(struct text symbol, const char *plain)
{
	struct text bare = bare_name(text_from(plain));
	SCOPED(str_release) struct str spelled = { 0 };
	SCOPED(arena_release) struct arena arena = { 0 };
	struct demangled whole;

	// `title.get`: accessors are mangled as a letter further on.
	if (swift_is_mangled(symbol))
		bare = text_first(bare, text_find_char(bare, '.'));
	str_addf(&spelled, "%zu", bare.size);
	str_add_text(&spelled, bare);
	if (text_find(symbol, str_cstr(&spelled)) != TEXT_NOWHERE)
		return true;
	whole = demangle_whole(symbol, DEMANGLE_SHORT, &arena);
	return whole.parts.base &&
	       text_equal(bare_name(text_from(whole.parts.base)), bare);
}

/** Is @p symbol the mangled name of a function named @p name? */
static bool completes(struct text symbol, const char *name, uint64_t *left)
{
	if (!name[0])
		return true;
	if (!is_full_name(symbol) || symbol.size > *left)
		return false;
	*left -= symbol.size;
	return mangles(symbol, name);
}

/**
 * Some compilers omitted the linkage name, or any name, of functions. Take it
 * from the symbol table if a symbol starts exactly at the function.
 */
static void complete_names(struct debug_info *info,
                           const struct open_source *open, struct arena *arena)
{
	SCOPED(mem_drop)
	size_t *plain = mem_zalloc(info->function_count, sizeof(*plain));
	SCOPED(mem_drop)
	uint64_t *starts = mem_zalloc(info->function_count, sizeof(*starts));
	SCOPED(mem_drop) struct text *symbols = NULL;
	uint64_t left = open->state.debug.slice.size * SYMBOL_BYTES_PER_BYTE;
	size_t count = 0;

	for (size_t i = 0; i < info->function_count; i++) {
		if (has_full_name(&info->functions[i]))
			continue;
		plain[count] = i;
		starts[count++] = info->functions[i].range.low;
	}
	if (!count || !open->source->find_starts)
		return;
	symbols = mem_zalloc(count, sizeof(*symbols));
	open->source->find_starts(open->self, starts, count, symbols);
	for (size_t i = 0; i < count; i++) {
		struct debug_function *function = &info->functions[plain[i]];

		if (symbols[i].data &&
		    completes(symbols[i], function->name, &left))
			function->name = arena_text(arena, symbols[i]);
	}
}

struct error *debug_image_make(const struct open_source *open,
                               enum debug_reader reader,
                               const uint64_t *addresses, size_t count,
                               struct arena *arena, struct str *image,
                               struct debug_faults *ret_faults)
{
	struct debug_info info = { 0 };
	const struct debug_object *debug = &open->state.debug;
	struct error *err = debug_info_collect(debug, reader, addresses, count,
	                                       arena, &info);

	if (err)
		return err;
	complete_names(&info, open, arena);
	if (!count)
		file_forget(debug->slice);
	err = gsym_write(&info, &open->state.uuid, image);
	if (!err) {
		ret_faults->count = info.bad_unit_count;
		snprintf(ret_faults->reason, sizeof(ret_faults->reason), "%s",
		         info.bad_unit_reason ? info.bad_unit_reason : "");
	}
	return err;
}
