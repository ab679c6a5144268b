// SPDX-License-Identifier: MIT
#include "lib/object/dwarf/line.h"

#include "lib/base/mem.h"
#include "lib/base/sorted.h"
#include "lib/object/dwarf/overlaps.h"

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
	/** Effect of each special opcode. */
	struct {
		uint32_t address;
		uint32_t line;
	} advances[UINT8_MAX + 1];

	size_t first; ///< first row of the sequence
	uint64_t low; ///< address of the first row, which may be dropped
	bool has_rows;
	size_t next;       ///< wanted range that ends after the last row
	bool unknown_file; ///< a row refers to a file not defined yet
	bool complete;     ///< the rest cannot change the result
};

static void reset_registers(struct line_machine *m)
{
	m->row = (struct line_row){ .file = 1, .line = 1 };
}

static void advance(struct line_machine *m, uint64_t operation_advance)
{
	m->row.address += operation_advance * m->table->min_instruction_size;
	m->row.address &= m->address_mask;
}

static uint64_t last_address(const struct line_machine *m)
{
	return m->table->rows[m->table->row_count - 1].address;
}

/** Does the last row, up to @p end, concern a wanted range? */
static bool last_row_counts(struct line_machine *m, uint64_t end)
{
	const struct range_list *wanted = m->wanted;
	uint64_t address = last_address(m);

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
 * End a sequence at @p high, or at its last row if that is higher: keep it if
 * it is wanted, else drop its rows.
 */
static void end_sequence(struct line_machine *m, uint64_t high)
{
	struct line_table *table = m->table;
	const struct range_list *wanted = m->wanted;

	if (m->has_rows && last_address(m) > high)
		high = last_address(m);
	if (m->has_rows && m->low < high && wanted->count &&
	    m->low < wanted->ranges[wanted->count - 1].high &&
	    high > wanted->ranges[0].low) {
		MEM_GROW(table->sequences, table->sequence_count,
		         table->sequence_cap);
		table->sequences[table->sequence_count++] =
		        (struct line_sequence){
			        .low = m->low,
			        .high = high,
			        .first = m->first,
			        .count = table->row_count - m->first,
		        };
	} else {
		table->row_count = m->first;
	}
	m->first = table->row_count;
	m->has_rows = false;
}

/** Note a file that is not defined yet: the program may add it later. */
static void note_file(struct line_machine *m, uint32_t file)
{
	if (file >= m->table->file_count)
		m->unknown_file = true;
}

/**
 * All wanted ranges are in this sequence, up to its last row: others come too
 * late to matter.
 */
static void note_complete(struct line_machine *m)
{
	const struct range_list *wanted = m->wanted;

	m->complete = wanted->count &&
	              m->row.address >=
	                      wanted->ranges[wanted->count - 1].high &&
	              m->low <= wanted->ranges[0].low && !m->unknown_file;
}

/**
 * Unwanted rows are overwritten by the next one. If addresses descend, which no
 * compiler writes, another sequence begins.
 */
static void add_row(struct line_machine *m)
{
	struct line_table *table = m->table;

	if (m->has_rows && last_address(m) > m->row.address)
		end_sequence(m, 0);
	if (!m->has_rows)
		add_first_row(m);
	else if (!last_row_counts(m, m->row.address))
		table->row_count--;
	MEM_GROW(table->rows, table->row_count, table->row_cap);
	table->rows[table->row_count++] = m->row;
	note_file(m, m->row.file);
	note_complete(m);
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
		end_sequence(m, m->row.address);
		reset_registers(m);
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
		break; // discriminators, and vendor extensions
	}
}

/** A line range of 0 is damage; other rows of the program are still used. */
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
		// Column, flags, and opcodes of later versions.
		for (uint8_t i = 0; i < m->table->operand_counts[opcode - 1];
		     i++)
			cursor_uleb(c);
	}
}

/** The value of a one-byte signed LEB128 number. */
static uint32_t small_signed(uint8_t raw)
{
	return (uint32_t)((raw ^ 0x40) - 0x40);
}

/**
 * Do all opcodes of skip_quickly() have the standard operands? GCC's programs
 * of DWARF 2 lack some, and take the slow path.
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
 * Address up to which the next rows are unwanted; 0 if unknown. Below it,
 * adding the effect of one opcode cannot overflow.
 */
static uint64_t unwanted_until(const struct line_machine *m)
{
	const uint64_t max = m->address_mask - UINT16_MAX;
	uint64_t limit = max;

	if (!m->has_rows || last_address(m) > m->row.address)
		return 0;
	if (m->next < m->wanted->count)
		limit = m->wanted->ranges[m->next].low;
	return limit < max ? limit : max;
}

/** Max bytes of skip_quickly() and an opcode with an operand. */
#define QUICK_BYTES 8

/**
 * Skip opcodes that do not affect address, file and line, as before most rows:
 * a column, then a flag.
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
 * Execute an opcode that only changes registers, with a small operand; NULL for
 * others, without effect.
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
 * Run over unwanted rows: as in add_row(), each replaces the previous one, and
 * nothing else is needed. When one function of a unit is wanted, this covers
 * nearly all of the program. Stops before the first opcode that needs more.
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
	note_file(m, last.file);
	m->row = row;
	c->pos = (size_t)(at - c->in.data);
}

/** Are sequences ascending and disjoint, as in most programs? */
static bool are_apart(const struct line_sequence *sequences, size_t count)
{
	for (size_t i = 1; i < count; i++)
		if (sequences[i].low < sequences[i - 1].high)
			return false;
	return true;
}

/** Sequences while they are put apart. */
struct overlap_output {
	const struct line_sequence *sequences;
	struct line_table *table;
};

static void add_resolved(void *context, const struct overlap_range *own)
{
	struct overlap_output *out = context;
	struct line_table *table = out->table;
	struct line_sequence sequence = out->sequences[own->item];

	sequence.low = own->low;
	sequence.high = own->high;
	MEM_GROW(table->sequences, table->sequence_count, table->sequence_cap);
	table->sequences[table->sequence_count++] = sequence;
}

void line_table_resolve(struct line_table *table)
{
	struct line_sequence *sequences = table->sequences;
	struct overlap_output out = { sequences, table };
	size_t count = table->sequence_count;
	struct overlap_range *ranges;

	if (are_apart(sequences, count))
		return;
	ranges = mem_zalloc(count, sizeof(*ranges));
	for (size_t i = 0; i < count; i++)
		ranges[i] = (struct overlap_range){ .low = sequences[i].low,
			                            .high = sequences[i].high,
			                            .item = i };
	table->sequences = NULL;
	table->sequence_count = table->sequence_cap = 0;
	overlaps_resolve(ranges, count, add_resolved, &out);
	free(ranges);
	free(sequences);
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
	reset_registers(&m);
	while (good && !m.complete && cursor_left(&c)) {
		run_unwanted(&m, &c);
		if (!cursor_left(&c))
			break;
		run_opcode(&m, cursor_u8(&c), &c);
		good = cursor_ok(&c) && table->row_count < LINE_ROWS_MAX;
	}
	// A sequence without an end covers up to its last row.
	end_sequence(&m, 0);
	line_table_resolve(table);
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
		// Number 0 is the unit's directory; others may be relative to
		// it.
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
