// SPDX-License-Identifier: MIT
#include "lib/symbols/gsym/gsym.h"

#include "lib/base/file.h"
#include "lib/base/sorted.h"
#include "lib/symbols/gsym/format.h"
#include "lib/symbols/gsym/guard.h"
#include "lib/symbols/gsym/record.h"

#include <inttypes.h>
#include <string.h>

/** Size that fits most records. */
#define RECORD_BYTES 256

/** Verify these bytes of the image. */
static bool is_sound(const struct gsym *gsym, uint64_t offset, uint64_t size)
{
	return guard_check(gsym->guard, gsym->guard_offset + offset, size);
}

static struct error *error_damaged(void)
{
	return error_new(ERROR_FORMAT, "GSYM image: a checksum is wrong");
}

/** Approximate bytes of the address table that a search reads. */
#define BYTES_PER_SEARCH 256

/**
 * With a look-up per 256 KB, prefetch the whole image: otherwise, each look-up
 * has page faults for its record and two or three strings, of 64 KB each.
 */
#define BYTES_PER_EXPECTED ((uint64_t)256 << 10)

/** Max cost of look-ups, in bytes read; see struct gsym_walk. */
#define WORK_PER_BYTE   64
#define WORK_PER_LOOKUP 4096

static struct error *open_header(struct cursor *c, struct gsym *gsym,
                                 uint32_t *strings_offset,
                                 uint32_t *strings_size)
{
	uint32_t magic = cursor_u32(c);
	uint8_t uuid_size;
	uint16_t version;
	struct bytes uuid;

	if (magic == GSYM_MAGIC_SWAPPED)
		c->order = CURSOR_BIG;
	else if (magic != GSYM_MAGIC && cursor_ok(c))
		return error_new(ERROR_FORMAT, "not a GSYM image: magic 0x%08x",
		                 magic);
	version = cursor_u16(c);
	gsym->address_size = cursor_u8(c);
	uuid_size = cursor_u8(c);
	gsym->base_address = cursor_u64(c);
	gsym->address_count = cursor_u32(c);
	*strings_offset = cursor_u32(c);
	*strings_size = cursor_u32(c);
	uuid = cursor_bytes(c, GSYM_UUID_BYTES);
	if (!cursor_ok(c))
		return cursor_error(c, "GSYM header");
	if (version != GSYM_VERSION)
		return error_new(ERROR_UNSUPPORTED,
		                 "GSYM version %u is not supported", version);
	if (gsym->address_size != 1 && gsym->address_size != 2 &&
	    gsym->address_size != 4 && gsym->address_size != 8)
		return error_new(ERROR_FORMAT,
		                 "GSYM header: address size is %u bytes, "
		                 "expected 1, 2, 4 or 8",
		                 gsym->address_size);
	if (uuid_size > GSYM_UUID_BYTES)
		return error_new(ERROR_FORMAT,
		                 "GSYM header: UUID size is %u bytes, "
		                 "expected at most %u",
		                 uuid_size, GSYM_UUID_BYTES);
	// Other sizes are ELF build ids, which reports do not have.
	if (uuid_size == sizeof(gsym->uuid.bytes))
		memcpy(gsym->uuid.bytes, uuid.data, sizeof(gsym->uuid.bytes));
	return NULL;
}

bool gsym_sniff(struct bytes head)
{
	struct cursor c = cursor_at(head, 0, CURSOR_LITTLE);
	uint32_t magic = cursor_u32(&c);

	if (magic == GSYM_MAGIC_SWAPPED)
		c.order = CURSOR_BIG;
	else if (magic != GSYM_MAGIC)
		return false;
	// Text may begin with the same letters.
	return cursor_u16(&c) <= UINT8_MAX && cursor_ok(&c);
}

struct error *gsym_peek_uuid(struct bytes head, struct uuid *ret)
{
	struct cursor c = cursor_at(head, 0, CURSOR_LITTLE);
	uint32_t strings_offset, strings_size;
	struct gsym gsym = { 0 };
	struct error *err =
	        open_header(&c, &gsym, &strings_offset, &strings_size);

	*ret = gsym.uuid;
	return err;
}

struct error *gsym_open(struct bytes image, struct gsym *ret)
{
	return gsym_open_guarded(image, NULL, 0, ret);
}

struct error *gsym_open_guarded(struct bytes image, struct gsym_guard *guard,
                                uint64_t guard_offset, struct gsym *ret)
{
	struct cursor c = cursor_at(image, 0, CURSOR_LITTLE);
	struct gsym gsym = { .image = image,
		             .guard = guard,
		             .guard_offset = guard_offset };
	uint32_t strings_offset = 0;
	uint32_t strings_size = 0;
	struct error *err;

	if (!is_sound(&gsym, 0, GSYM_HEADER_BYTES))
		return error_damaged();
	err = open_header(&c, &gsym, &strings_offset, &strings_size);
	if (err)
		return err;
	gsym.order = c.order;
	gsym.addresses_offset = c.pos;
	cursor_skip(&c, (uint64_t)gsym.address_count * gsym.address_size);
	cursor_skip(&c, (0 - c.pos) % GSYM_INFO_BYTES);
	gsym.infos_offset = c.pos;
	cursor_skip(&c, (uint64_t)gsym.address_count * GSYM_INFO_BYTES);
	if (!cursor_ok(&c))
		return cursor_error(&c, "GSYM address table");
	if (!is_sound(&gsym, c.pos, sizeof(gsym.file_count)))
		return error_damaged();
	gsym.file_count = cursor_u32(&c);
	gsym.files_offset = c.pos;
	cursor_skip(&c, (uint64_t)gsym.file_count * GSYM_FILE_BYTES);
	if (!cursor_ok(&c))
		return cursor_error(&c, "GSYM file table");
	if (strings_offset > image.size)
		return error_new(ERROR_FORMAT,
		                 "GSYM string table: begins at offset "
		                 "0x%" PRIx32 ", but the file has %zu bytes",
		                 strings_offset, image.size);
	c = cursor_at(image, strings_offset, gsym.order);
	gsym.strings = cursor_bytes(&c, strings_size);
	if (!cursor_ok(&c))
		return cursor_error(&c, "GSYM string table");
	if (gsym.strings.size &&
	    !is_sound(&gsym, (uint64_t)strings_offset + strings_size - 1, 1))
		return error_damaged();
	// With a NUL at the end, every offset begins a terminated string.
	while (gsym.strings.size && gsym.strings.data[gsym.strings.size - 1])
		gsym.strings.size--;
	*ret = gsym;
	return NULL;
}

/** Verify a string up to its NUL. */
static bool string_is_sound(const struct gsym *gsym, const char *string)
{
	uint64_t at = (uint64_t)((const uint8_t *)string - gsym->image.data);

	for (;;) {
		size_t rest =
		        guard_block_rest(gsym->guard, gsym->guard_offset + at);

		if (rest > gsym->image.size - at)
			rest = (size_t)(gsym->image.size - at);
		if (!rest || !is_sound(gsym, at, rest))
			return false;
		if (memchr(gsym->image.data + at, '\0', rest))
			return true;
		at += rest;
	}
}

/** NULL: the offset is outside of the table. */
static const char *string_at(const struct gsym *gsym, uint32_t offset)
{
	const char *string = (const char *)gsym->strings.data + offset;

	if (offset >= gsym->strings.size)
		return NULL;
	if (!gsym->guard || gsym->guard->is_sound)
		return string;
	return string_is_sound(gsym, string) ? string : NULL;
}

/** Set the file of a call; false: the table has no such file. */
static bool call_set_file(const struct gsym *gsym, uint32_t index,
                          struct gsym_call *call)
{
	struct cursor c;

	uint64_t at = gsym->files_offset + (uint64_t)index * GSYM_FILE_BYTES;

	if (index >= gsym->file_count || !is_sound(gsym, at, GSYM_FILE_BYTES))
		return false;
	c = cursor_at(gsym->image, at, gsym->order);
	call->directory = string_at(gsym, cursor_u32(&c));
	call->file = string_at(gsym, cursor_u32(&c));
	return cursor_ok(&c) && call->directory && call->file;
}

static uint64_t address_at(const struct gsym *gsym, uint32_t index)
{
	uint64_t at = gsym->addresses_offset +
	              (uint64_t)index * gsym->address_size;
	struct cursor c = cursor_at(gsym->image, at, gsym->order);

	// After a failed check, the guard is damaged and all answers are
	// dropped.
	if (!is_sound(gsym, at, gsym->address_size))
		return 0;
	return cursor_uint(&c, gsym->address_size);
}

/**
 * Searching from the last result and from the start must agree, so addresses
 * have to ascend; ours do.
 */
static struct error *check_order(const struct gsym *gsym)
{
	uint64_t before = 0;

	for (uint32_t i = 0; i < gsym->address_count; i++) {
		uint64_t address = address_at(gsym, i);

		if (address < before)
			return error_new(ERROR_FORMAT,
			                 "GSYM address table: function %" PRIu32
			                 " is below the one before it",
			                 i);
		before = address;
	}
	return NULL;
}

struct error *gsym_open_foreign(struct bytes file, struct gsym *ret)
{
	struct gsym gsym;
	struct error *err = gsym_open(file, &gsym);

	if (err)
		return err;
	if (gsym.address_count && !address_at(&gsym, 0))
		return error_new(ERROR_UNSUPPORTED,
		                 "GSYM header: base address is 0x%" PRIx64
		                 ", which is that of the first function, "
		                 "expected that of the image",
		                 gsym.base_address);
	err = check_order(&gsym);
	if (err)
		return err;
	*ret = gsym;
	return NULL;
}

struct error *gsym_check_whole(const struct gsym *gsym)
{
	struct cursor c =
	        cursor_at(gsym->image, gsym->infos_offset, gsym->order);
	uint32_t outside = 0;

	for (uint32_t i = 0; i < gsym->address_count; i++)
		outside += (uint64_t)cursor_u32(&c) + GSYM_RECORD_BYTES >
		           gsym->image.size;
	if (!outside)
		return NULL;
	return error_new(ERROR_FORMAT,
	                 "truncated: %" PRIu32
	                 " of its functions lie%s outside the file",
	                 outside, outside == 1 ? "s" : "");
}

/**
 * For many look-ups, prefetch the image. If they will read most of the
 * addresses, verify them all once, and read them without checks.
 */
static void prepare_for_many(struct gsym_walk *walk)
{
	const struct gsym *gsym = walk->gsym;
	uint64_t size = (uint64_t)gsym->address_count * gsym->address_size;

	if (!walk->is_expected &&
	    walk->lookups > gsym->image.size / BYTES_PER_EXPECTED) {
		walk->is_expected = true;
		file_expect(gsym->image);
	}
	if (walk->reads_addresses || gsym->order != CURSOR_LITTLE ||
	    __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__ ||
	    walk->lookups < size / BYTES_PER_SEARCH)
		return;
	walk->reads_addresses = is_sound(gsym, gsym->addresses_offset, size);
}

/** Does function @p index start at or below @p offset? */
static bool starts_by(const struct gsym_walk *walk, uint64_t index,
                      uint64_t offset)
{
	const struct gsym *gsym = walk->gsym;
	const uint8_t *table = gsym->image.data + gsym->addresses_offset;
	const size_t size = gsym->address_size;

	if (walk->reads_addresses)
		return cursor_load(table + (size_t)index * size,
		                   (unsigned)size) <= offset;
	return address_at(gsym, (uint32_t)index) <= offset;
}

/**
 * Find the last function at or below @p offset from the base. It is usually
 * near the previous one: gallop from there, then bisect.
 */
static bool find_function(struct gsym_walk *walk, uint64_t offset,
                          uint32_t *ret)
{
	const struct gsym *gsym = walk->gsym;
	uint64_t low = walk->after;
	uint64_t high = gsym->address_count;
	uint64_t step = 1;

	prepare_for_many(walk);
	if (low && !starts_by(walk, low - 1, offset))
		low = 0;
	for (uint64_t at = low; low && at < high; step *= 2) {
		if (!starts_by(walk, at, offset)) {
			high = at;
			break;
		}
		low = at + 1;
		at += step;
	}
	low += SORTED_SKIP(i, high - low, starts_by(walk, low + i, offset));
	walk->after = (uint32_t)low;
	if (!low)
		return false;
	*ret = (uint32_t)low - 1;
	return true;
}

/**
 * Read the record at @p offset. Its size is unknown, so a growing part of a
 * guarded image is verified.
 */
static bool read_record(const struct gsym *gsym, uint64_t offset,
                        uint64_t start, struct gsym_record *ret)
{
	uint64_t left = offset < gsym->image.size ? gsym->image.size - offset
	                                          : 0;
	uint64_t size = gsym->guard && left > RECORD_BYTES ? RECORD_BYTES
	                                                   : left;

	for (;; size = size < left / 4 ? size * 4 : left) {
		struct bytes seen = bytes_part(gsym->image, 0, offset + size);
		struct cursor c = cursor_at(seen, offset, gsym->order);

		if (!left || !is_sound(gsym, offset, size))
			return false;
		if (gsym_record_read(&c, start, ret))
			return true;
		if (size == left)
			return false;
	}
}

/** Find the record of the function at @p address. */
static bool find_record(struct gsym_walk *walk, uint64_t address,
                        struct gsym_record *ret)
{
	const struct gsym *gsym = walk->gsym;
	struct gsym_record record;
	struct cursor c;
	uint32_t index;
	uint64_t start, info;

	if (address < gsym->base_address ||
	    !find_function(walk, address - gsym->base_address, &index))
		return false;
	start = gsym->base_address + address_at(gsym, index);
	info = gsym->infos_offset + (uint64_t)index * GSYM_INFO_BYTES;
	c = cursor_at(gsym->image, info, gsym->order);
	// In an unsorted table, the function may not be below the address.
	if (!is_sound(gsym, info, GSYM_INFO_BYTES) ||
	    !read_record(gsym, cursor_u32(&c), start, &record)) {
		walk->met_damage = true;
		return false;
	}
	if (address < start || address - start >= record.size)
		return false;
	*ret = record;
	return true;
}

uint64_t gsym_span(const struct gsym *gsym)
{
	struct gsym_walk walk = { .gsym = gsym };
	struct gsym_record record;
	uint64_t last, address;

	if (!gsym->address_count)
		return 0;
	last = address_at(gsym, gsym->address_count - 1);
	if (__builtin_add_overflow(gsym->base_address, last, &address) ||
	    !find_record(&walk, address, &record))
		return last;
	return last + record.size;
}

/** Set the place of the innermost call from the line table. */
static bool set_innermost(struct gsym_walk *walk,
                          const struct gsym_record *record,
                          const struct gsym_chain *chain, uint64_t address,
                          struct gsym_call *call)
{
	struct gsym_rows *rows = &walk->rows;
	struct gsym_row row;

	if (!gsym_record_rows(record, address, &walk->work, rows))
		return false;
	row = rows->covering;
	if (!row.found)
		return true;
	if (!row.line) {
		if (!gsym_record_borrow(record, chain, rows->with_line,
		                        &walk->work, &row))
			return false;
		call->line_borrowed = row.line != 0;
	}
	call->line = row.line;
	return call_set_file(walk->gsym, row.file, call);
}

/** Fill @p calls, innermost first; false: damaged record. */
static bool set_calls(struct gsym_walk *walk, const struct gsym_record *record,
                      const struct gsym_chain *chain, uint64_t address,
                      struct gsym_call *calls)
{
	const struct gsym *gsym = walk->gsym;
	uint32_t name = record->name;
	uint64_t start = record->start;

	// From the function down: a call's place is that of the next inner
	// call.
	for (size_t i = 0;; i++) {
		struct gsym_call *call = &calls[chain->count - i];
		const struct gsym_inlined *below = &chain->calls[i];

		call->name = string_at(gsym, name);
		call->start = start;
		call->directory = "";
		call->file = "";
		call->is_unnamed = call->name && !call->name[0];
		// The symbol table may know the function's name.
		if (!call->name || (call->is_unnamed && !i))
			return false;
		if (call->is_unnamed)
			call->name = GSYM_UNNAMED;
		if (i == chain->count)
			return set_innermost(walk, record, chain, address,
			                     call);
		call->line = below->call_line;
		if (!call_set_file(gsym, below->call_file, call))
			return false;
		name = below->name;
		start = below->start;
	}
}

/** Max bytes that all look-ups so far may read. */
static uint64_t allowed_work(const struct gsym_walk *walk)
{
	return walk->gsym->image.size * WORK_PER_BYTE +
	       walk->lookups * WORK_PER_LOOKUP;
}

bool gsym_walk_lookup(struct gsym_walk *walk, uint64_t address,
                      struct arena *arena, struct gsym_answer *ret)
{
	struct gsym_record record;
	struct gsym_chain chain;
	struct gsym_call *calls;

	walk->lookups++;
	if (walk->work > allowed_work(walk) ||
	    !find_record(walk, address, &record))
		return false;
	if (!gsym_record_chain(&record, address, &walk->work, &chain)) {
		walk->met_damage = true;
		return false;
	}
	calls = arena_array(arena, chain.count + 1, sizeof(*calls));
	if (!set_calls(walk, &record, &chain, address, calls)) {
		walk->met_damage |= !calls[chain.count].is_unnamed;
		return false;
	}
	*ret = (struct gsym_answer){
		.calls = calls,
		.count = chain.count + 1,
		.function_start = record.start,
		.function_size = record.size,
	};
	return true;
}

bool gsym_lookup(const struct gsym *gsym, uint64_t address, struct arena *arena,
                 struct gsym_answer *ret)
{
	struct gsym_walk walk = { .gsym = gsym };

	return gsym_walk_lookup(&walk, address, arena, ret);
}
