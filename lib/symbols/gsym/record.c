#include "lib/symbols/gsym/record.h"

#include "lib/symbols/gsym/format.h"

// A record has two pieces today; newer LLVMs write five.
#define PIECES_MAX 16
// How often a row that lies in an inlined call is passed over.
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
	bool end;      ///< none: the siblings end here
	bool contains; ///< one of its ranges holds the address
	bool has_children;
	uint64_t first_start; ///< its children's ranges count from here
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
		node.inlined.name = cursor_u32(c);
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
bool gsym_record_chain(const struct gsym_record *record, uint64_t address,
                       struct gsym_chain *ret)
{
	struct cursor c = cursor_at(record->inlines, 0, record->order);
	struct node node;

	ret->count = 0;
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
		if (ret->count == GSYM_INLINE_DEPTH)
			return false;
		ret->calls[ret->count++] = node.inlined;
	}
	return true;
}

/** State of the line program. */
struct line_program {
	struct cursor in;
	int64_t min_delta;
	int64_t max_delta;
	struct gsym_row row;
};

static bool line_program_init(struct line_program *program,
                              const struct gsym_record *record)
{
	struct cursor c = cursor_at(record->lines, 0, record->order);

	program->min_delta = cursor_sleb(&c);
	program->max_delta = cursor_sleb(&c);
	program->row = (struct gsym_row){
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
	struct gsym_row *row = &program->row;
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

bool gsym_record_rows(const struct gsym_record *record, uint64_t address,
                      struct gsym_row *covering, struct gsym_row *with_line)
{
	struct line_program program;

	*covering = *with_line = (struct gsym_row){ 0 };
	if (!record->lines.size)
		return true;
	if (!line_program_init(&program, record))
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

// The row before may belong to a call that was inlined in between: its line
// would be one of another function, mostly in another file.
bool gsym_record_borrow(const struct gsym_record *record,
                        const struct gsym_chain *chain, struct gsym_row nearest,
                        struct gsym_row *ret)
{
	uint64_t start = chain->count ? chain->calls[chain->count - 1].start
	                              : record->start;
	struct gsym_chain other;
	struct gsym_row covering;

	for (unsigned i = 0; i < BORROW_TRIES; i++) {
		uint64_t call_start;

		if (!nearest.found || nearest.address < start)
			return true;
		if (!gsym_record_chain(record, nearest.address, &other))
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
		if (!gsym_record_rows(record, call_start - 1, &covering,
		                      &nearest))
			return false;
	}
	return true;
}
