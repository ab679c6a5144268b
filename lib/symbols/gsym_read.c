#include "lib/symbols/gsym.h"

#include "lib/symbols/gsym_format.h"

#include <string.h>

// What one lookup may cost, whatever the image says. A function of a million
// rows takes some 3 MB.
#define PIECE_BYTES_MAX ((uint64_t)16 << 20)
#define PIECES_MAX      16
// How often a row that lies in an inlined call is passed over.
#define BORROW_TRIES 8

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
	// Of another size it is an ELF build id, which no report names.
	if (uuid_size == sizeof(gsym->uuid.bytes))
		memcpy(gsym->uuid.bytes, uuid.data, sizeof(gsym->uuid.bytes));
	return NULL;
}

struct error *gsym_open(struct bytes image, struct gsym *ret)
{
	struct cursor c = cursor_at(image, 0, CURSOR_LITTLE);
	struct gsym gsym = { .image = image };
	uint32_t strings_offset = 0;
	uint32_t strings_size = 0;
	struct error *err;

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
	gsym.file_count = cursor_u32(&c);
	gsym.files_offset = c.pos;
	cursor_skip(&c, (uint64_t)gsym.file_count * GSYM_FILE_BYTES);
	if (!cursor_ok(&c))
		return cursor_error(&c, "GSYM file table");
	c = cursor_at(image, strings_offset, gsym.order);
	gsym.strings = cursor_bytes(&c, strings_size);
	if (!cursor_ok(&c))
		return cursor_error(&c, "GSYM string table");
	// With a NUL at its end every offset inside begins a whole string.
	while (gsym.strings.size && gsym.strings.data[gsym.strings.size - 1])
		gsym.strings.size--;
	*ret = gsym;
	return NULL;
}

/** NULL where the offset is not in the table. */
static const char *string_at(const struct gsym *gsym, uint32_t offset)
{
	if (offset >= gsym->strings.size)
		return NULL;
	return (const char *)gsym->strings.data + offset;
}

/** Set the file of a call; false where the table has no such file. */
static bool call_set_file(const struct gsym *gsym, uint32_t index,
                          struct gsym_call *call)
{
	struct cursor c;

	if (index >= gsym->file_count)
		return false;
	c = cursor_at(gsym->image,
	              gsym->files_offset + (uint64_t)index * GSYM_FILE_BYTES,
	              gsym->order);
	call->directory = string_at(gsym, cursor_u32(&c));
	call->file = string_at(gsym, cursor_u32(&c));
	return cursor_ok(&c) && call->directory && call->file;
}

/** A function's record, taken apart. */
struct record {
	uint64_t start;
	uint32_t size;
	const char *name;
	struct bytes lines;
	struct bytes inlines;
};

static uint64_t address_at(const struct gsym *gsym, uint32_t index)
{
	struct cursor c = cursor_at(
	        gsym->image,
	        gsym->addresses_offset + (uint64_t)index * gsym->address_size,
	        gsym->order);

	return cursor_uint(&c, gsym->address_size);
}

/** The last function that starts at or below @p offset from the base. */
static bool find_function(const struct gsym *gsym, uint64_t offset,
                          uint32_t *ret)
{
	uint32_t low = 0;
	uint32_t high = gsym->address_count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (address_at(gsym, middle) <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low)
		return false;
	*ret = low - 1;
	return true;
}

static bool read_pieces(struct cursor *c, struct record *record)
{
	for (unsigned i = 0; i < PIECES_MAX; i++) {
		uint32_t type = cursor_u32(c);
		struct bytes data = cursor_bytes(c, cursor_u32(c));

		if (!cursor_ok(c) || data.size > PIECE_BYTES_MAX)
			return false;
		if (type == GSYM_PIECE_END)
			return true;
		if (type == GSYM_PIECE_LINES)
			record->lines = data;
		else if (type == GSYM_PIECE_INLINES)
			record->inlines = data;
	}
	return false;
}

/** The record of the function that covers @p address. */
static bool find_record(const struct gsym *gsym, uint64_t address,
                        struct record *ret)
{
	struct record record = { 0 };
	struct cursor c;
	uint32_t index;
	uint64_t end;

	if (address < gsym->base_address ||
	    !find_function(gsym, address - gsym->base_address, &index))
		return false;
	record.start = gsym->base_address + address_at(gsym, index);
	c = cursor_at(gsym->image,
	              gsym->infos_offset + (uint64_t)index * GSYM_INFO_BYTES,
	              gsym->order);
	c = cursor_at(gsym->image, cursor_u32(&c), gsym->order);
	record.size = cursor_u32(&c);
	record.name = string_at(gsym, cursor_u32(&c));
	if (!cursor_ok(&c) || !record.name || !record.name[0])
		return false;
	// The table may be out of order: look at both ends.
	if (address < record.start ||
	    __builtin_add_overflow(record.start, record.size, &end) ||
	    address >= end)
		return false;
	if (!read_pieces(&c, &record))
		return false;
	*ret = record;
	return true;
}

/** A call inlined at the address. */
struct inlined {
	const char *name;
	uint32_t call_file;
	uint32_t call_line;
	uint64_t start; ///< of the range that holds the address
};

/** All calls inlined at the address, outermost first. */
struct chain {
	struct inlined calls[GSYM_INLINE_DEPTH];
	size_t count;
};

/** An entry of the inline tree. */
struct node {
	bool end;      ///< none: the siblings end here
	bool contains; ///< one of its ranges holds the address
	bool has_children;
	uint64_t first_start; ///< its children's ranges count from here
	uint32_t name;
	struct inlined inlined;
};

static uint32_t cursor_uleb32(struct cursor *c)
{
	uint64_t value = cursor_uleb(c);

	return value > UINT32_MAX ? UINT32_MAX : (uint32_t)value;
}

static bool read_node(struct cursor *c, uint64_t base, uint64_t address,
                      struct node *ret)
{
	struct node node = { 0 };
	uint64_t count = cursor_uleb(c);

	node.end = !count;
	// Each range takes two bytes at least: a failure ends the loop.
	for (uint64_t i = 0; i < count && cursor_ok(c); i++) {
		uint64_t start = base + cursor_uleb(c);
		uint64_t size = cursor_uleb(c);

		if (!i)
			node.first_start = start;
		if (!node.contains && address - start < size) {
			node.contains = true;
			node.inlined.start = start;
		}
	}
	if (!node.end) {
		node.has_children = cursor_u8(c);
		node.name = cursor_u32(c);
		node.inlined.call_file = cursor_uleb32(c);
		node.inlined.call_line = cursor_uleb32(c);
	}
	*ret = node;
	return cursor_ok(c);
}

/** Step over all that lies below a node with children. */
static bool skip_children(struct cursor *c)
{
	struct node node;

	for (size_t open = 1; open;) {
		if (!read_node(c, 0, 0, &node))
			return false;
		if (node.end)
			open--;
		else if (node.has_children)
			open++;
	}
	return true;
}

/**
 * Walk down the tree along @p address. The root stands for the function
 * itself, as llvm-gsymutil writes it. Siblings do not overlap, so the first
 * that holds the address is the way down, and no way back is needed.
 */
static bool read_chain(const struct gsym *gsym, const struct record *record,
                       uint64_t address, struct chain *chain)
{
	struct cursor c = cursor_at(record->inlines, 0, gsym->order);
	struct node node;

	chain->count = 0;
	if (!record->inlines.size)
		return true;
	if (!read_node(&c, record->start, address, &node))
		return false;
	while (node.contains && node.has_children) {
		uint64_t base = node.first_start;

		for (;;) {
			if (!read_node(&c, base, address, &node))
				return false;
			if (node.end || node.contains)
				break;
			if (node.has_children && !skip_children(&c))
				return false;
		}
		if (node.end)
			break;
		node.inlined.name = string_at(gsym, node.name);
		if (!node.inlined.name || !node.inlined.name[0] ||
		    chain->count == GSYM_INLINE_DEPTH)
			return false;
		chain->calls[chain->count++] = node.inlined;
	}
	return true;
}

/** A row of the line table; `found` is false where there is none. */
struct row {
	bool found;
	uint64_t address;
	uint32_t file;
	uint32_t line;
};

/** State of the line program. */
struct line_program {
	struct cursor in;
	int64_t min_delta;
	int64_t max_delta;
	struct row row;
};

static bool line_program_init(struct line_program *program,
                              const struct gsym *gsym,
                              const struct record *record)
{
	struct cursor c = cursor_at(record->lines, 0, gsym->order);

	program->min_delta = cursor_sleb(&c);
	program->max_delta = cursor_sleb(&c);
	program->row = (struct row){
		.address = record->start,
		.file = GSYM_FIRST_FILE,
		.line = cursor_uleb32(&c),
	};
	program->in = c;
	return cursor_ok(&c) && program->min_delta >= INT32_MIN &&
	       program->max_delta <= INT32_MAX &&
	       program->min_delta <= program->max_delta;
}

/** Move to another row; false where it cannot be one. */
static bool line_program_move(struct line_program *program, uint64_t bytes,
                              int64_t lines)
{
	struct row *row = &program->row;
	int64_t line;

	if (__builtin_add_overflow(row->address, bytes, &row->address) ||
	    __builtin_add_overflow((int64_t)row->line, lines, &line) ||
	    line < 0 || line > UINT32_MAX)
		return false;
	row->line = (uint32_t)line;
	return true;
}

/** Run up to the next row, whose `found` is false at the end of the table. */
static bool line_program_next(struct line_program *program)
{
	int64_t range = program->max_delta - program->min_delta + 1;
	struct cursor *c = &program->in;

	program->row.found = false;
	while (!program->row.found) {
		uint8_t op = cursor_u8(c);
		int64_t special = op - GSYM_OP_FIRST_SPECIAL;
		uint64_t bytes = 0;
		int64_t lines = 0;

		if (op == GSYM_OP_END) {
			return cursor_ok(c);
		} else if (op == GSYM_OP_SET_FILE) {
			program->row.file = cursor_uleb32(c);
		} else if (op == GSYM_OP_ADVANCE_ADDRESS) {
			bytes = cursor_uleb(c);
			program->row.found = true;
		} else if (op == GSYM_OP_ADVANCE_LINE) {
			lines = cursor_sleb(c);
		} else {
			bytes = (uint64_t)(special / range);
			lines = program->min_delta + special % range;
			program->row.found = true;
		}
		if (!cursor_ok(c) || !line_program_move(program, bytes, lines))
			return false;
	}
	return true;
}

/**
 * The rows at @p address: the one that covers it, and the nearest one up to
 * there that has a line.
 */
static bool read_rows(const struct gsym *gsym, const struct record *record,
                      uint64_t address, struct row *covering,
                      struct row *with_line)
{
	struct line_program program;

	*covering = *with_line = (struct row){ 0 };
	if (!record->lines.size)
		return true;
	if (!line_program_init(&program, gsym, record))
		return false;
	for (;;) {
		if (!line_program_next(&program))
			return false;
		if (!program.row.found || program.row.address > address)
			return true;
		*covering = program.row;
		if (program.row.line)
			*with_line = program.row;
	}
}

/**
 * The row to borrow a line from, where that of @p address has none: the
 * nearest earlier one of the same function, or of the same inlined call. The
 * row before may belong to a call that was inlined in between; its line would
 * be one of another function, mostly in another file.
 */
static bool borrow_row(const struct gsym *gsym, const struct record *record,
                       const struct chain *chain, struct row nearest,
                       struct row *ret)
{
	uint64_t start = chain->count ? chain->calls[chain->count - 1].start
	                              : record->start;
	struct chain other;
	struct row covering;

	for (unsigned i = 0; i < BORROW_TRIES; i++) {
		uint64_t call_start;

		if (!nearest.found || nearest.address < start)
			return true;
		if (!read_chain(gsym, record, nearest.address, &other))
			return false;
		if (other.count <= chain->count) {
			// In sound trees a range lies inside its parent's, so
			// that from its start on the chain is never shorter.
			if (other.count == chain->count)
				*ret = nearest;
			return true;
		}
		call_start = other.calls[chain->count].start;
		if (call_start <= start)
			return true;
		if (!read_rows(gsym, record, call_start - 1, &covering,
		               &nearest))
			return false;
	}
	return true;
}

/** The place of the innermost call: what the line table says. */
static bool set_innermost(const struct gsym *gsym, const struct record *record,
                          const struct chain *chain, uint64_t address,
                          struct gsym_call *call)
{
	struct row row;
	struct row with_line;

	if (!read_rows(gsym, record, address, &row, &with_line))
		return false;
	if (row.found && !row.line) {
		if (!borrow_row(gsym, record, chain, with_line, &row))
			return false;
		call->line_borrowed = row.line != 0;
	}
	if (!row.found)
		return true;
	call->line = row.line;
	return call_set_file(gsym, row.file, call);
}

bool gsym_lookup(const struct gsym *gsym, uint64_t address, struct arena *arena,
                 struct gsym_answer *ret)
{
	struct record record;
	struct chain chain;
	struct gsym_call *calls;
	size_t count;

	if (!find_record(gsym, address, &record) ||
	    !read_chain(gsym, &record, address, &chain))
		return false;
	count = chain.count + 1;
	calls = arena_array(arena, count, sizeof(*calls));
	for (size_t i = 0; i < count; i++) {
		struct gsym_call *call = &calls[count - 1 - i];
		const struct inlined *self = i ? &chain.calls[i - 1] : NULL;
		const struct inlined *below = &chain.calls[i];

		call->name = self ? self->name : record.name;
		call->start = self ? self->start : record.start;
		call->directory = "";
		call->file = "";
		if (i == chain.count) {
			if (!set_innermost(gsym, &record, &chain, address,
			                   call))
				return false;
			continue;
		}
		// An outer call stands where it makes the inlined one.
		call->line = below->call_line;
		if (!call_set_file(gsym, below->call_file, call))
			return false;
	}
	*ret = (struct gsym_answer){
		.calls = calls,
		.count = count,
		.function_start = record.start,
		.function_size = record.size,
	};
	return true;
}
