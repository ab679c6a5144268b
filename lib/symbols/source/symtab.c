// SPDX-License-Identifier: MIT
#include "lib/symbols/source/symtab.h"

#include "lib/base/mem.h"
#include "lib/base/sorted.h"

#include <string.h>

/** Fields of an nlist entry, from Apple's <mach-o/nlist.h>. */
enum {
	N_EXTERNAL = 0x01,
	N_TYPE_MASK = 0x0e,
	N_SECTION = 0x0e,
	N_PRIVATE_EXTERNAL = 0x10,
	N_STAB_MASK = 0xe0,
};

#define CPU_TYPE_ARM 12u

/** Size of an nlist entry: its value comes last, and has a word. */
#define SYMBOL_BYTES(macho) (8 + ((macho)->is_64 ? 8u : 4u))

/** Symbols have their section in one byte, counted from 1. */
#define SECTIONS_NAMEABLE 255u
#define NO_SECTION        0u

/**
 * Max length of a name, and max bytes compared of two names: bounds the cost of
 * a symbol in a hostile string table.
 */
#define NAME_MAX_BYTES     65536u
#define NAME_COMPARE_BYTES 256u
/** Max length of a name to search for. */
#define NAME_FOUND_BYTES 1024u

struct symbol {
	uint64_t value;
	uint32_t name; ///< offset into the string table
	uint8_t type;
	uint8_t section;
};

/** The symbols around an address. */
struct place {
	uint8_t section; ///< of the address; NO_SECTION: no code section
	bool found;
	struct symbol best; ///< greatest at or below the address
	bool has_start;
	uint64_t function_start; ///< greatest at or below the address
};

struct lookup {
	const struct macho *macho;
	const uint64_t *addresses;
	struct place *places;
	size_t count;
	bool starts_only; ///< ignore symbols that begin before an address
	size_t last;      ///< last result of first_at_or_above()
};

/** Is the first address at or above @p value not at index @p at? */
static bool is_elsewhere(const struct lookup *lookup, size_t at, uint64_t value)
{
	return (at && lookup->addresses[at - 1] >= value) ||
	       (at < lookup->count && lookup->addresses[at] < value);
}

/**
 * Index of the first address at or above @p value; or the count. Tables usually
 * ascend: try the last result and the next one first.
 */
static size_t first_at_or_above(struct lookup *lookup, uint64_t value)
{
	size_t at = lookup->last;

	if (at < lookup->count && lookup->addresses[at] < value)
		at++;
	if (is_elsewhere(lookup, at, value))
		at = SORTED_SKIP(i, lookup->count,
		                 lookup->addresses[i] < value);
	lookup->last = at;
	return at;
}

static void find_sections(struct lookup *lookup)
{
	const struct macho *macho = lookup->macho;

	for (size_t s = 0; s < macho->section_count && s < SECTIONS_NAMEABLE;
	     s++) {
		const struct macho_section *section = &macho->sections[s];
		size_t i = first_at_or_above(lookup, section->address);

		if (!section->has_code)
			continue;
		for (; i < lookup->count; i++) {
			struct place *place = &lookup->places[i];

			if (lookup->addresses[i] - section->address >=
			    section->size)
				break;
			if (place->section == NO_SECTION)
				place->section = (uint8_t)(s + 1);
		}
	}
}

static struct text symbol_name(const struct macho *macho, uint32_t offset,
                               size_t limit)
{
	struct text rest = text_after(bytes_text(macho->strings), offset);
	struct text name = text_first(rest, limit);
	size_t end = text_find_char(name, '\0');

	// The table may end without a NUL.
	return end == TEXT_NOWHERE ? name : text_first(name, end);
}

static unsigned visibility(const struct symbol *symbol)
{
	if (!(symbol->type & N_EXTERNAL))
		return 0;
	return symbol->type & N_PRIVATE_EXTERNAL ? 1 : 2;
}

/** Assembler labels; names of C and C++ begin with `_`. */
static bool is_local_label(struct text name)
{
	return text_starts(name, "l") || text_starts(name, "L");
}

/** Choose between two symbols of one address: the better known one. */
static bool is_better_alias(const struct macho *macho,
                            const struct symbol *candidate,
                            const struct symbol *best)
{
	struct text a = symbol_name(macho, candidate->name, NAME_COMPARE_BYTES);
	struct text b = symbol_name(macho, best->name, NAME_COMPARE_BYTES);
	int order;

	// Exported names are the same in each build.
	if (visibility(candidate) != visibility(best))
		return visibility(candidate) > visibility(best);
	if (is_local_label(a) != is_local_label(b))
		return is_local_label(b);
	// Any total order.
	order = text_compare(a, b);
	return order ? order < 0 : candidate->name < best->name;
}

static bool is_wanted(const struct macho *macho, const struct symbol *symbol)
{
	const struct macho_section *section;

	if ((symbol->type & N_STAB_MASK) ||
	    (symbol->type & N_TYPE_MASK) != N_SECTION)
		return false;
	if (symbol->section == NO_SECTION ||
	    symbol->section > macho->section_count)
		return false;
	if (symbol->name >= macho->strings.size ||
	    !macho->strings.data[symbol->name])
		return false;
	// __mh_execute_header is in section 1, but lies before it.
	section = &macho->sections[symbol->section - 1];
	return symbol->value - section->address < section->size;
}

/** Symbol @p index, which must exist. */
static struct symbol symbol_at(const struct macho *macho, size_t index)
{
	unsigned word = macho->is_64 ? 8 : 4;
	struct cursor c = cursor_at(macho->symbols, index * SYMBOL_BYTES(macho),
	                            macho->order);
	struct symbol symbol = { .name = cursor_u32(&c) };

	symbol.type = cursor_u8(&c);
	symbol.section = cursor_u8(&c);
	cursor_skip(&c, 2); // description; Thumb is marked only there
	symbol.value = cursor_uint(&c, word);
	return symbol;
}

/** Offer a symbol at or before an address. */
static void offer_symbol(const struct lookup *lookup, struct place *place,
                         const struct symbol *symbol)
{
	if (place->section != symbol->section ||
	    !is_wanted(lookup->macho, symbol))
		return;
	if (place->found &&
	    (symbol->value < place->best.value ||
	     (symbol->value == place->best.value &&
	      !is_better_alias(lookup->macho, symbol, &place->best))))
		return;
	place->found = true;
	place->best = *symbol;
}

/** The range between two addresses, in which a value lies. */
struct gap {
	uint64_t low;
	uint64_t size;
};

static struct gap gap_at(const struct lookup *lookup, size_t at)
{
	uint64_t low = at ? lookup->addresses[at - 1] + 1 : 0;
	uint64_t high = at < lookup->count ? lookup->addresses[at] : UINT64_MAX;

	// Empty between equal addresses, and at the end.
	return (struct gap){ .low = low, .size = low < high ? high - low : 0 };
}

// Read the value of each symbol, and the rest only of candidates: reading names
// is the slowest, as they are elsewhere in the file.
static void read_symbols(struct lookup *lookup)
{
	const struct macho *macho = lookup->macho;
	unsigned word = macho->is_64 ? 8 : 4;
	size_t count = macho->symbols.size / SYMBOL_BYTES(macho);
	struct cursor c = cursor_at(macho->symbols, 8, macho->order);
	struct gap gap = { 0 };

	if (count > macho->symbol_count)
		count = macho->symbol_count;
	for (size_t i = 0; i < count; i++) {
		uint64_t value = cursor_uint(&c, word);
		size_t at;

		cursor_skip(&c, i + 1 < count ? 8 : 0);
		if (lookup->starts_only && value - gap.low < gap.size)
			continue;
		at = first_at_or_above(lookup, value);
		gap = gap_at(lookup, at);
		if (at < lookup->count &&
		    (!lookup->starts_only || lookup->addresses[at] == value)) {
			struct symbol symbol = symbol_at(macho, i);

			offer_symbol(lookup, &lookup->places[at], &symbol);
		}
	}
}

static void offer_function_start(struct lookup *lookup, uint64_t start)
{
	size_t i = first_at_or_above(lookup, start);
	struct place *place;

	if (i == lookup->count)
		return;
	place = &lookup->places[i];
	if (place->has_start && start < place->function_start)
		return;
	place->has_start = true;
	place->function_start = start;
}

static void read_function_starts(struct lookup *lookup)
{
	const struct macho *macho = lookup->macho;
	struct cursor c = cursor_at(macho->function_starts, 0, macho->order);
	uint64_t start = macho->text_address;

	while (macho->has_text && cursor_left(&c)) {
		uint64_t delta = cursor_uleb(&c);

		// Zeros pad the list to pointer size.
		if (!delta)
			break;
		start += delta;
		// ld64 sets bit 0 of Thumb functions only here.
		offer_function_start(lookup, macho->cpu_type == CPU_TYPE_ARM
		                                     ? start & ~(uint64_t)1
		                                     : start);
	}
}

/**
 * Each symbol was offered to the next address only; pass it on to later
 * addresses that have no nearer one.
 */
static void carry_forward(struct lookup *lookup)
{
	for (size_t i = 1; i < lookup->count; i++) {
		const struct place *before = &lookup->places[i - 1];
		struct place *place = &lookup->places[i];

		if (!place->has_start) {
			place->has_start = before->has_start;
			place->function_start = before->function_start;
		}
		if (!place->found && before->section == place->section) {
			place->found = before->found;
			place->best = before->best;
		}
	}
}

static void resolve(const struct macho *macho, const uint64_t *addresses,
                    size_t count, bool starts_only,
                    struct symtab_answer *answers)
{
	SCOPED(mem_drop)
	struct place *places = mem_zalloc(count, sizeof(*places));
	struct lookup lookup = {
		.macho = macho,
		.addresses = addresses,
		.places = places,
		.count = count,
		.starts_only = starts_only,
	};

	find_sections(&lookup);
	read_symbols(&lookup);
	read_function_starts(&lookup);
	carry_forward(&lookup);
	for (size_t i = 0; i < count; i++) {
		const struct place *place = &places[i];

		answers[i] = (struct symtab_answer){ .name = TEXT_NONE };
		if (!place->found ||
		    (starts_only && place->best.value != addresses[i]))
			continue;
		// A stripped function, without a name, begins in between.
		if (place->has_start &&
		    place->function_start > place->best.value)
			continue;
		answers[i].name =
		        symbol_name(macho, place->best.name, NAME_MAX_BYTES);
		answers[i].start = place->best.value;
	}
}

void symtab_resolve(const struct macho *macho, const uint64_t *addresses,
                    size_t count, struct symtab_answer *answers)
{
	resolve(macho, addresses, count, false, answers);
}

void symtab_find_starts(const struct macho *macho, const uint64_t *addresses,
                        size_t count, struct symtab_answer *answers)
{
	resolve(macho, addresses, count, true, answers);
}

/** Is it in a code section, so a function? */
static bool is_code(const struct macho *macho, const struct symbol *symbol)
{
	return is_wanted(macho, symbol) &&
	       macho->sections[symbol->section - 1].has_code;
}

bool symtab_find_named(const struct macho *macho,
                       bool (*is)(struct text name, void *context),
                       void *context, uint64_t *ret)
{
	size_t count = macho->symbols.size / SYMBOL_BYTES(macho);
	bool found = false;

	if (count > macho->symbol_count)
		count = macho->symbol_count;
	for (size_t i = 0; i < count; i++) {
		struct symbol symbol = symbol_at(macho, i);

		if (!is_code(macho, &symbol) ||
		    !is(symbol_name(macho, symbol.name, NAME_FOUND_BYTES),
		        context))
			continue;
		if (found && symbol.value != *ret)
			return false;
		found = true;
		*ret = symbol.value;
	}
	return found;
}
