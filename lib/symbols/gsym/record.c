// SPDX-License-Identifier: MIT
#include "lib/symbols/gsym/record.h"

#include "lib/symbols/gsym/format.h"

// Max pieces; LLVM writes two, newer versions five.
#define PIECES_MAX 16
// Max rows of inlined calls to skip.
#define BORROW_TRIES 8

static bool read_pieces(struct cursor *c, struct gsym_record *record)
{
	for (unsigned i = 0; i < PIECES_MAX; i++) {
		uint32_t type = cursor_u32(c);
		struct bytes data = cursor_bytes(c, cursor_u32(c));

		if (!cursor_ok(c) || data.size > GSYM_PIECE_BYTES_MAX)
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

bool gsym_record_read(struct cursor *c, uint64_t start, struct gsym_record *ret)
{
	struct gsym_record record = { .order = c->order, .start = start };

	record.size = cursor_u32(c);
	record.name = cursor_u32(c);
	if (!read_pieces(c, &record))
		return false;
	*ret = record;
	return true;
}

/** An entry of the inline tree. */
struct node {
	bool end;      ///< end of the siblings
	bool contains; ///< the address is in one of its ranges
	bool has_children;
	uint64_t first_start; ///< base of its children's ranges
	struct gsym_inlined inlined;
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
	// A range takes at least two bytes, so a failure ends the loop.
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
		node.inlined.name = cursor_u32(c);
		node.inlined.call_file = cursor_uleb32(c);
		node.inlined.call_line = cursor_uleb32(c);
	}
	*ret = node;
	return cursor_ok(c);
}

/** Skip the subtree below a node. */
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
 * Walk down the tree along @p address. The root is the function itself, as in
 * llvm-gsymutil. Siblings do not overlap, so the first match is right, without
 * backtracking.
 */
static bool read_chain(const struct gsym_record *record, uint64_t address,
                       struct cursor *c, struct gsym_chain *ret)
{
	struct node node;

	ret->count = 0;
	if (!record->inlines.size)
		return true;
	if (!read_node(c, record->start, address, &node))
		return false;
	while (node.contains && node.has_children) {
		uint64_t base = node.first_start;

		for (;;) {
			if (!read_node(c, base, address, &node))
				return false;
			if (node.end || node.contains)
				break;
			if (node.has_children && !skip_children(c))
				return false;
		}
		if (node.end)
			break;
		if (ret->count == GSYM_INLINE_DEPTH)
			return false;
		ret->calls[ret->count++] = node.inlined;
	}
	return true;
}

bool gsym_record_chain(const struct gsym_record *record, uint64_t address,
                       uint64_t *work, struct gsym_chain *ret)
{
	struct cursor c = cursor_at(record->inlines, 0, record->order);
	bool good = read_chain(record, address, &c, ret);

	*work += c.pos;
	return good;
}

static bool rows_init(struct gsym_rows *rows, const struct gsym_record *record)
{
	struct cursor c = cursor_at(record->lines, 0, record->order);

	*rows = (struct gsym_rows){
		.lines = record->lines,
		.min_delta = cursor_sleb(&c),
		.max_delta = cursor_sleb(&c),
	};
	rows->next = (struct gsym_row){
		.address = record->start,
		.file = GSYM_FIRST_FILE,
		.line = cursor_uleb32(&c),
	};
	rows->in = c;
	return cursor_ok(&c) && rows->min_delta >= INT32_MIN &&
	       rows->max_delta <= INT32_MAX &&
	       rows->min_delta <= rows->max_delta;
}

/** Move to another row; false: invalid. */
static bool rows_move(struct gsym_rows *rows, uint64_t bytes, int64_t lines)
{
	struct gsym_row *row = &rows->next;
	int64_t line;

	if (__builtin_add_overflow(row->address, bytes, &row->address) ||
	    __builtin_add_overflow((int64_t)row->line, lines, &line) ||
	    line < 0 || line > UINT32_MAX)
		return false;
	row->line = (uint32_t)line;
	return true;
}

/** Read the next row; `found` is false at the end of the table. */
static bool rows_next(struct gsym_rows *rows)
{
	int64_t range = rows->max_delta - rows->min_delta + 1;
	struct cursor *c = &rows->in;

	rows->next.found = false;
	while (!rows->next.found) {
		uint8_t op = cursor_u8(c);
		int64_t special = op - GSYM_OP_FIRST_SPECIAL;
		uint64_t bytes = 0;
		int64_t lines = 0;

		if (op == GSYM_OP_END) {
			return cursor_ok(c);
		} else if (op == GSYM_OP_SET_FILE) {
			rows->next.file = cursor_uleb32(c);
		} else if (op == GSYM_OP_ADVANCE_ADDRESS) {
			bytes = cursor_uleb(c);
			rows->next.found = true;
		} else if (op == GSYM_OP_ADVANCE_LINE) {
			lines = cursor_sleb(c);
		} else {
			bytes = (uint64_t)(special / range);
			lines = rows->min_delta + special % range;
			rows->next.found = true;
		}
		if (!cursor_ok(c) || !rows_move(rows, bytes, lines))
			return false;
	}
	return true;
}

/** Can @p rows continue to @p address in the table of @p record? */
static bool rows_continue(const struct gsym_rows *rows,
                          const struct gsym_record *record, uint64_t address)
{
	return rows->lines.size && rows->lines.data == record->lines.data &&
	       (!rows->covering.found || rows->covering.address <= address);
}

bool gsym_record_rows(const struct gsym_record *record, uint64_t address,
                      uint64_t *work, struct gsym_rows *rows)
{
	bool good = true;
	size_t start;

	if (!record->lines.size) {
		*rows = (struct gsym_rows){ 0 };
		return true;
	}
	if (!rows_continue(rows, record, address))
		good = rows_init(rows, record) && rows_next(rows);
	start = rows->in.pos;
	while (good && rows->next.found && rows->next.address <= address) {
		rows->covering = rows->next;
		if (rows->next.line)
			rows->with_line = rows->next;
		good = rows_next(rows);
	}
	*work += rows->in.pos - start;
	// A damaged table is not continued.
	if (!good)
		rows->lines.size = 0;
	return good;
}

// The previous row may belong to an inlined call in between, with a line of
// another function, usually in another file.
bool gsym_record_borrow(const struct gsym_record *record,
                        const struct gsym_chain *chain, struct gsym_row nearest,
                        uint64_t *work, struct gsym_row *ret)
{
	uint64_t start = chain->count ? chain->calls[chain->count - 1].start
	                              : record->start;
	struct gsym_chain other;
	struct gsym_rows rows = { 0 };

	for (unsigned i = 0; i < BORROW_TRIES; i++) {
		uint64_t call_start;

		if (!nearest.found || nearest.address < start)
			return true;
		if (!gsym_record_chain(record, nearest.address, work, &other))
			return false;
		if (other.count <= chain->count) {
			// In sound trees, a range lies inside of its parent's,
			// so from its start on, the chain is never shorter.
			if (other.count == chain->count &&
			    nearest.file == ret->file)
				*ret = nearest;
			return true;
		}
		call_start = other.calls[chain->count].start;
		if (call_start <= start)
			return true;
		if (!gsym_record_rows(record, call_start - 1, work, &rows))
			return false;
		nearest = rows.with_line;
	}
	return true;
}
