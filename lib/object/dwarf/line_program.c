#include "lib/object/dwarf/line.h"

#include "lib/base/mem.h"
#include "lib/base/sorted.h"

#include <stdlib.h>
#include <string.h>

/** Opcodes, as the standard numbers them. */
enum {
	LNS_EXTENDED = 0,
	LNS_COPY = 1,
	LNS_ADVANCE_PC = 2,
	LNS_ADVANCE_LINE = 3,
	LNS_SET_FILE = 4,
	LNS_SET_COLUMN = 5,
	LNS_NEGATE_STATEMENT = 6,
	LNS_CONST_ADD_PC = 8,
	LNS_FIXED_ADVANCE_PC = 9,
	LNS_PROLOGUE_END = 10,

	LNE_END_SEQUENCE = 1,
	LNE_SET_ADDRESS = 2,
	LNE_DEFINE_FILE = 3,
	LNE_SET_DISCRIMINATOR = 4,
};

/** The registers of the line machine, and the sequence being read. */
struct line_machine {
	struct line_table *table;
	const struct range_list *wanted;
	struct line_row row;
	uint64_t address_mask;
	bool has_usual_operands;
	/** What each special opcode adds. */
	struct {
		uint32_t address;
		uint32_t line;
	} advances[UINT8_MAX + 1];

	size_t first; ///< first row of the sequence
	uint64_t low; ///< the least address in it
	bool has_rows;
	bool descends;
	size_t next; ///< wanted range that ends after the last row
};

static void begin_sequence(struct line_machine *m)
{
	m->row = (struct line_row){ .file = 1, .line = 1 };
	m->first = m->table->row_count;
	m->has_rows = false;
	m->descends = false;
}

static void advance(struct line_machine *m, uint64_t operation_advance)
{
	m->row.address += operation_advance * m->table->min_instruction_size;
	m->row.address &= m->address_mask;
}

/** Does the last row, up to @p end, say anything of what is wanted? */
static bool last_row_counts(struct line_machine *m, uint64_t end)
{
	const struct range_list *wanted = m->wanted;
	uint64_t address = m->table->rows[m->table->row_count - 1].address;

	while (m->next < wanted->count &&
	       wanted->ranges[m->next].high <= address)
		m->next++;
	// One that the next row replaces at once still names its file.
	return m->next < wanted->count &&
	       (wanted->ranges[m->next].low <= address ||
	        wanted->ranges[m->next].low < end);
}

static void add_first_row(struct line_machine *m)
{
	const struct debug_range *ranges = m->wanted->ranges;

	m->has_rows = true;
	m->low = m->row.address;
	m->next = SORTED_SKIP(i, m->wanted->count, ranges[i].high <= m->low);
}

/**
 * Rows that say nothing of what is wanted make room for the next one. Where
 * addresses descend, it may be a row from before that comes next: none is left
 * out from there on. One that was left out stays unwanted, for a row between
 * two others takes from the first of them, and adds nothing to it.
 */
static void add_row(struct line_machine *m)
{
	struct line_table *table = m->table;

	if (!m->has_rows) {
		add_first_row(m);
	} else if (table->rows[table->row_count - 1].address > m->row.address) {
		m->descends = true;
		if (m->row.address < m->low)
			m->low = m->row.address;
	} else if (!m->descends && !last_row_counts(m, m->row.address)) {
		table->row_count--;
	}
	MEM_GROW(table->rows, table->row_count, table->row_cap);
	table->rows[table->row_count++] = m->row;
}

/** Merge two neighbouring runs of rows, the left one first where equal. */
static void merge_rows(const struct line_row *in, size_t left, size_t middle,
                       size_t right, struct line_row *out)
{
	size_t a = left;
	size_t b = middle;

	for (size_t i = left; i < right; i++) {
		bool take_left = a < middle &&
		                 (b >= right || in[a].address <= in[b].address);
		out[i] = in[take_left ? a++ : b++];
	}
}

/** A stable sort: of rows of equal address the last one counts. */
static void sort_rows(struct line_row *rows, size_t count)
{
	struct line_row *other = mem_zalloc(count, sizeof(*other));
	struct line_row *from = rows;
	struct line_row *to = other;

	for (size_t width = 1; width < count; width *= 2) {
		for (size_t left = 0; left < count; left += 2 * width) {
			size_t middle = left + width;
			size_t right = middle + width;

			merge_rows(from, left, middle < count ? middle : count,
			           right < count ? right : count, to);
		}
		struct line_row *swap = from;
		from = to;
		to = swap;
	}
	if (from != rows)
		memcpy(rows, from, count * sizeof(*rows));
	free(other);
}

/** Keep the sequence that ends here if it is wanted, else drop its rows. */
static void end_sequence(struct line_machine *m)
{
	struct line_table *table = m->table;
	const struct range_list *wanted = m->wanted;
	size_t count = table->row_count - m->first;
	uint64_t low = m->has_rows ? m->low : m->row.address;
	uint64_t high = m->row.address;

	if (m->descends)
		sort_rows(&table->rows[m->first], count);
	// One between wanted ranges counts: it may end before another one.
	if (wanted->count && low < high &&
	    low < wanted->ranges[wanted->count - 1].high &&
	    high > wanted->ranges[0].low) {
		MEM_GROW(table->sequences, table->sequence_count,
		         table->sequence_cap);
		table->sequences[table->sequence_count++] =
		        (struct line_sequence){ .low = low,
			                        .high = high,
			                        .first = m->first,
			                        .count = count };
	} else {
		table->row_count = m->first;
	}
}

/** A file that the program itself adds (versions 2 to 4). */
static void define_file(struct line_table *table, struct cursor *c)
{
	const char *name = cursor_cstr(c);
	uint64_t directory = cursor_uleb(c);

	if (!cursor_ok(c))
		return;
	MEM_GROW(table->files, table->file_count, table->file_cap);
	table->files[table->file_count++] =
	        (struct line_file){ .name = name, .directory = directory };
}

static void run_extended(struct line_machine *m, struct cursor *c)
{
	uint64_t size = cursor_uleb(c);
	struct cursor operand = { .in = cursor_bytes(c, size),
		                  .order = CURSOR_LITTLE };

	if (!cursor_ok(c) || !size)
		return;
	switch (cursor_u8(&operand)) {
	case LNE_END_SEQUENCE:
		end_sequence(m);
		begin_sequence(m);
		break;
	case LNE_SET_ADDRESS:
		m->row.address = size == 9   ? cursor_u64(&operand)
		                 : size == 5 ? cursor_u32(&operand)
		                             : m->row.address;
		break;
	case LNE_DEFINE_FILE:
		define_file(m->table, &operand);
		break;
	default:
		break; // discriminators, and what vendors add
	}
}

/** A range of 0 is damage; such a program still has its other rows. */
static void fill_advances(struct line_machine *m)
{
	const struct line_table *table = m->table;

	for (unsigned i = 0; table->line_range && i <= UINT8_MAX; i++) {
		uint8_t adjusted = (uint8_t)(i - table->opcode_base);

		m->advances[i].address =
		        (uint32_t)(adjusted / table->line_range) *
		        table->min_instruction_size;
		m->advances[i].line = (uint32_t)(table->line_base +
		                                 adjusted % table->line_range);
	}
}

static void advance_special(struct line_machine *m, uint8_t opcode)
{
	m->row.address += m->advances[opcode].address;
	m->row.address &= m->address_mask;
}

static uint32_t file_number(uint64_t number)
{
	return number < UINT32_MAX ? (uint32_t)number : UINT32_MAX;
}

static void run_standard(struct line_machine *m, uint8_t opcode,
                         struct cursor *c)
{
	switch (opcode) {
	case LNS_COPY:
		add_row(m);
		break;
	case LNS_ADVANCE_PC:
		advance(m, cursor_uleb(c));
		break;
	case LNS_ADVANCE_LINE:
		m->row.line += (uint32_t)cursor_sleb(c);
		break;
	case LNS_SET_FILE:
		m->row.file = file_number(cursor_uleb(c));
		break;
	case LNS_CONST_ADD_PC:
		advance_special(m, UINT8_MAX);
		break;
	case LNS_FIXED_ADVANCE_PC:
		m->row.address += cursor_u16(c);
		m->row.address &= m->address_mask;
		break;
	default:
		// Column, flags, and what a later version may add.
		for (uint8_t i = 0; i < m->table->operand_counts[opcode - 1];
		     i++)
			cursor_uleb(c);
	}
}

/** What a one-byte LEB128 number with a sign says. */
static uint32_t small_signed(uint8_t raw)
{
	return (uint32_t)((raw ^ 0x40) - 0x40);
}

/**
 * Do all opcodes that skip_quickly() knows have the usual operands? GCC's
 * programs of DWARF 2 do not have all of them, and take longer.
 */
static bool has_usual_operands(const struct line_table *table)
{
	const uint8_t *counts = table->operand_counts;

	return table->opcode_base > LNS_PROLOGUE_END &&
	       counts[LNS_SET_COLUMN - 1] == 1 &&
	       !counts[LNS_NEGATE_STATEMENT - 1] &&
	       !counts[LNS_PROLOGUE_END - 1];
}

/**
 * How far the rows that come next say nothing of what is wanted; 0 where that
 * is not known. Below it an address and what one opcode adds to it do not
 * overflow.
 */
static uint64_t unwanted_until(const struct line_machine *m)
{
	const uint64_t most = m->address_mask - UINT16_MAX;
	uint64_t limit = most;

	if (!m->has_rows || m->descends ||
	    m->table->rows[m->table->row_count - 1].address > m->row.address)
		return 0;
	if (m->next < m->wanted->count)
		limit = m->wanted->ranges[m->next].low;
	return limit < most ? limit : most;
}

/** The most bytes that skip_quickly() and an opcode with an operand take. */
#define QUICK_BYTES 8

/**
 * Move over what says nothing of address, file and line, as it comes before
 * most rows: a column, then a flag.
 */
static const uint8_t *skip_quickly(const uint8_t *at)
{
	if (at[0] == LNS_SET_COLUMN && at[1] < 0x80)
		at += 2;
	if (at[0] == LNS_NEGATE_STATEMENT || at[0] == LNS_PROLOGUE_END)
		at++;
	return at;
}

/**
 * An opcode that only moves the registers, with a small operand; NULL for any
 * other, with nothing done.
 */
static const uint8_t *move_quickly(struct line_row *row, const uint8_t *at,
                                   const uint8_t *end)
{
	const uint8_t operand = at[1];

	if (operand >= 0x80)
		return NULL;
	switch (at[0]) {
	case LNS_ADVANCE_LINE:
		row->line += small_signed(operand);
		return at + 2;
	case LNS_SET_FILE:
		row->file = operand;
		return at + 2;
	case LNS_EXTENDED:
		if (at[2] != LNE_SET_DISCRIMINATOR || !operand ||
		    end - at < 2 + operand)
			return NULL;
		return at + 2 + operand;
	default:
		return NULL;
	}
}

/**
 * Run over rows that say nothing of what is wanted: as add_row() has it, each
 * takes the place of the one before, and there is nothing else to do for it. Of
 * a unit of thousands of functions, of which one is looked for, nearly all of
 * the program is such. It stops before the first opcode that needs more.
 */
static void run_unwanted(struct line_machine *m, struct cursor *c)
{
	const struct line_table *table = m->table;
	const uint64_t limit = unwanted_until(m);
	const unsigned opcode_base = table->opcode_base;
	const uint8_t *at = c->in.data + c->pos;
	const uint8_t *end = c->in.data + c->in.size;
	struct line_row row = m->row;
	struct line_row last;

	if (row.address >= limit || !m->has_usual_operands)
		return;
	last = table->rows[table->row_count - 1];
	while (end - at >= QUICK_BYTES) {
		at = skip_quickly(at);
		if (*at >= opcode_base || *at == LNS_CONST_ADD_PC) {
			bool special = *at >= opcode_base;
			unsigned opcode = special ? *at : UINT8_MAX;
			uint64_t address = row.address +
			                   m->advances[opcode].address;

			if (address >= limit)
				break;
			row.address = address;
			if (special) {
				row.line += m->advances[opcode].line;
				last = row;
			}
			at++;
		} else if (*at == LNS_COPY) {
			last = row;
			at++;
		} else {
			const uint8_t *next = move_quickly(&row, at, end);

			if (!next)
				break;
			at = next;
		}
	}
	table->rows[table->row_count - 1] = last;
	m->row = row;
	c->pos = (size_t)(at - c->in.data);
}

static int compare_sequences(const void *a, const void *b)
{
	const struct line_sequence *left = a;
	const struct line_sequence *right = b;

	if (left->high != right->high)
		return left->high < right->high ? -1 : 1;
	return (left->first > right->first) - (left->first < right->first);
}

static void sort_sequences(struct line_table *table)
{
	uint64_t low = UINT64_MAX;

	if (table->sequence_count)
		qsort(table->sequences, table->sequence_count,
		      sizeof(table->sequences[0]), compare_sequences);
	for (size_t i = table->sequence_count; i--;) {
		struct line_sequence *sequence = &table->sequences[i];

		if (sequence->low < low)
			low = sequence->low;
		sequence->low_from = low;
	}
}

static void run_opcode(struct line_machine *m, uint8_t opcode, struct cursor *c)
{
	if (opcode >= m->table->opcode_base) {
		advance_special(m, opcode);
		m->row.line += m->advances[opcode].line;
		add_row(m);
	} else if (opcode == LNS_EXTENDED) {
		run_extended(m, c);
	} else {
		run_standard(m, opcode, c);
	}
}

bool line_table_run(struct line_table *table, const struct range_list *wanted,
                    struct dwarf_work *work)
{
	struct cursor c = table->program;
	struct line_machine m = {
		.table = table,
		.wanted = wanted,
		.address_mask = table->unit.address_size == 4 ? UINT32_MAX
		                                              : UINT64_MAX,
	};
	bool good = dwarf_work_take(work, cursor_left(&c));

	fill_advances(&m);
	m.has_usual_operands = has_usual_operands(table);
	begin_sequence(&m);
	while (good && cursor_left(&c)) {
		run_unwanted(&m, &c);
		if (!cursor_left(&c))
			break;
		run_opcode(&m, cursor_u8(&c), &c);
		good = cursor_ok(&c) && table->row_count < LINE_ROWS_MAX;
	}
	// Rows of a sequence without an end cover nothing.
	table->row_count = m.first;
	sort_sequences(table);
	return good;
}

static bool path_is_absolute(const char *path)
{
	bool drive = ((path[0] >= 'A' && path[0] <= 'Z') ||
	              (path[0] >= 'a' && path[0] <= 'z')) &&
	             path[1] == ':' && (path[2] == '\\' || path[2] == '/');

	return path[0] == '/' || path[0] == '\\' || drive;
}

/** Append a part of a path, with one slash between the parts. */
static void add_part(struct str *path, const char *part)
{
	size_t size = strnlen(part, LINE_PATH_BYTES_MAX);

	if (!size)
		return;
	if (path->size && path->data[path->size - 1] != '/')
		str_add_char(path, '/');
	str_add_bytes(path, part, size);
}

bool line_table_path(const struct line_table *table, uint64_t index,
                     struct str *path)
{
	if (index >= table->file_count || !table->files[index].name)
		return false;
	const struct line_file *file = &table->files[index];
	const char *directory = file->directory < table->directory_count
	                                ? table->directories[file->directory]
	                                : "";

	str_clear(path);
	if (!path_is_absolute(file->name)) {
		// Number 0 is the unit's own directory; others may start there.
		if (file->directory && !path_is_absolute(directory))
			add_part(path, table->unit.directory);
		add_part(path, directory);
	}
	add_part(path, file->name);
	return path->size < LINE_PATH_BYTES_MAX;
}

void line_table_release(struct line_table *table)
{
	free(table->directories);
	free(table->files);
	free(table->rows);
	free(table->sequences);
	*table = (struct line_table){ 0 };
}
