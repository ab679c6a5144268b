// SPDX-License-Identifier: MIT
#include "lib/symbols/gsym/gsym.h"

#include "lib/base/mem.h"
#include "lib/symbols/gsym/format.h"
#include "lib/symbols/gsym/tables.h"

#include <string.h>

// Line deltas of special opcodes: 12 deltas cover most rows, and leave address
// deltas up to 20, five arm64 instructions.
#define LINE_DELTA_MIN (-4)
#define LINE_DELTA_MAX 7
#define LINE_RANGE     (LINE_DELTA_MAX - LINE_DELTA_MIN + 1)

#define PIECE_HEADER_BYTES 8
// Max size of a row: three opcodes with a LEB128 number each.
#define ROW_BYTES_MAX 33

struct writer {
	struct str *out;
	struct gsym_tables tables;
	uint32_t *
	        file_map; ///< index into debug_info.files to index in the image
	size_t file_count;
	struct debug_range *ranges; ///< of the current inlined call
	size_t range_cap;
};

static void writer_release(struct writer *w)
{
	gsym_tables_release(&w->tables);
	free(w->file_map);
	free(w->ranges);
}

/** Store little-endian; @p at has room for @p size. */
static void store(char *at, uint64_t value, unsigned size)
{
	for (unsigned i = 0; i < size; i++)
		at[i] = (char)(value >> 8 * i);
}

static void put(struct str *out, uint64_t value, unsigned size)
{
	str_add_le(out, value, size);
}

/** Store LEB128; both return the end, at most 10 bytes on. */
static char *store_uleb(char *at, uint64_t value)
{
	while (value > 0x7f) {
		*at++ = (char)((value & 0x7f) | 0x80);
		value >>= 7;
	}
	*at++ = (char)value;
	return at;
}

static char *store_sleb(char *at, int64_t value)
{
	// Right shifts are arithmetic in all supported compilers.
	while (value < -0x40 || value > 0x3f) {
		*at++ = (char)((value & 0x7f) | 0x80);
		value >>= 7;
	}
	*at++ = (char)(value & 0x7f);
	return at;
}

static void put_uleb(struct str *out, uint64_t value)
{
	char raw[10];

	str_add_bytes(out, raw, (size_t)(store_uleb(raw, value) - raw));
}

static void put_sleb(struct str *out, int64_t value)
{
	char raw[10];

	str_add_bytes(out, raw, (size_t)(store_sleb(raw, value) - raw));
}

static uint32_t file_index(const struct writer *w, uint32_t file)
{
	return file < w->file_count ? w->file_map[file] : 0;
}

/** Begin a piece of a record; end_piece() stores its length. */
static size_t begin_piece(struct writer *w, enum gsym_piece type)
{
	put(w->out, type, 4);
	put(w->out, 0, 4);
	return w->out->size;
}

/** Drop an oversized piece, which readers reject; the name remains. */
static void end_piece(struct writer *w, size_t start)
{
	size_t size = w->out->size - start;

	if (size > GSYM_PIECE_BYTES_MAX)
		w->out->size = start - PIECE_HEADER_BYTES;
	else
		store(w->out->data + start - 4, size, 4);
}

/** Store the step to a row, in one byte if it fits; returns the end. */
static char *store_step(char *at, uint64_t bytes, int64_t lines)
{
	if (lines >= LINE_DELTA_MIN && lines <= LINE_DELTA_MAX &&
	    bytes <= (UINT8_MAX - GSYM_OP_FIRST_SPECIAL) / LINE_RANGE) {
		uint64_t op = GSYM_OP_FIRST_SPECIAL + bytes * LINE_RANGE +
		              (uint64_t)(lines - LINE_DELTA_MIN);

		if (op <= UINT8_MAX) {
			*at++ = (char)op;
			return at;
		}
	}
	if (lines) {
		*at++ = GSYM_OP_ADVANCE_LINE;
		at = store_sleb(at, lines);
	}
	*at++ = GSYM_OP_ADVANCE_ADDRESS;
	return store_uleb(at, bytes);
}

static void write_lines(struct writer *w, const struct debug_function *function)
{
	const struct debug_line *lines = function->lines;
	uint64_t address = function->range.low;
	uint32_t file = GSYM_FIRST_FILE;
	uint32_t line;
	size_t start;

	if (!function->line_count || lines[0].address >= function->range.high)
		return;
	start = begin_piece(w, GSYM_PIECE_LINES);
	line = lines[0].line;
	put_sleb(w->out, LINE_DELTA_MIN);
	put_sleb(w->out, LINE_DELTA_MAX);
	put_uleb(w->out, line);
	for (size_t i = 0; i < function->line_count; i++) {
		uint32_t row_file = file_index(w, lines[i].file);
		uint64_t step = 0;
		char raw[ROW_BYTES_MAX];
		char *at = raw;

		if (lines[i].address >= function->range.high)
			break;
		if (i && row_file == file && lines[i].line == line)
			continue;
		// A row before the function counts from its start.
		if (lines[i].address > address)
			step = lines[i].address - address;
		if (row_file != file) {
			*at++ = GSYM_OP_SET_FILE;
			at = store_uleb(at, row_file);
		}
		at = store_step(at, step, (int64_t)lines[i].line - line);
		str_add_bytes(w->out, raw, (size_t)(at - raw));
		address += step;
		file = row_file;
		line = lines[i].line;
	}
	str_add_char(w->out, GSYM_OP_END);
	end_piece(w, start);
}

static int compare_ranges(const void *a, const void *b)
{
	const struct debug_range *left = a;
	const struct debug_range *right = b;

	if (left->low != right->low)
		return left->low < right->low ? -1 : 1;
	return (left->high > right->high) - (left->high < right->high);
}

/**
 * Collect a call's ranges in w->ranges as readers need them: ascending,
 * disjoint, inside @p within (a part of a split function does not have them
 * all).
 */
static size_t collect_ranges(struct writer *w, const struct debug_inline *call,
                             struct debug_range within)
{
	size_t count = 0;
	bool sorted = true;

	MEM_ROOM(w->ranges, call->range_count, w->range_cap);
	for (size_t i = 0; i < call->range_count; i++) {
		struct debug_range range = call->ranges[i];

		if (range.low < within.low)
			range.low = within.low;
		if (range.high > within.high)
			range.high = within.high;
		if (range.low >= range.high)
			continue;
		if (count && range.low < w->ranges[count - 1].high)
			sorted = false;
		w->ranges[count++] = range;
	}
	if (!sorted) {
		size_t kept = 0;

		qsort(w->ranges, count, sizeof(*w->ranges), compare_ranges);
		for (size_t i = 1; i < count; i++) {
			struct debug_range *last = &w->ranges[kept];

			if (w->ranges[i].low > last->high)
				w->ranges[++kept] = w->ranges[i];
			else if (w->ranges[i].high > last->high)
				last->high = w->ranges[i].high;
		}
		count = kept + 1;
	}
	return count;
}

static bool write_inlines(struct writer *w, const struct debug_inline *calls,
                          size_t count, struct debug_range within,
                          unsigned depth);

/**
 * Write a call and its inlined calls; false: no part is inside @p within. A
 * call without a name is written, as its lines are not its caller's.
 */
static bool write_inline(struct writer *w, const struct debug_inline *call,
                         struct debug_range within, unsigned depth)
{
	uint32_t name = gsym_tables_string(&w->tables, call->name);
	size_t count = collect_ranges(w, call, within);
	struct debug_range span;
	size_t flag_at;

	if (!count)
		return false;
	span.low = w->ranges[0].low;
	span.high = w->ranges[count - 1].high;
	put_uleb(w->out, count);
	for (size_t i = 0; i < count; i++) {
		put_uleb(w->out, w->ranges[i].low - within.low);
		put_uleb(w->out, w->ranges[i].high - w->ranges[i].low);
	}
	flag_at = w->out->size;
	put(w->out, 0, 1);
	put(w->out, name, 4);
	put_uleb(w->out, file_index(w, call->call_file));
	put_uleb(w->out, call->call_line);
	if (write_inlines(w, call->children, call->child_count, span,
	                  depth + 1))
		w->out->data[flag_at] = 1;
	return true;
}

/**
 * Write siblings; false, and nothing written: none inside @p within. Their
 * ranges count from its start. Drops calls deeper than GSYM_INLINE_DEPTH.
 */
static bool write_inlines(struct writer *w, const struct debug_inline *calls,
                          size_t count, struct debug_range within,
                          unsigned depth)
{
	bool any = false;

	if (depth >= GSYM_INLINE_DEPTH)
		return false;
	for (size_t i = 0; i < count; i++) {
		if (write_inline(w, &calls[i], within, depth))
			any = true;
	}
	if (any)
		put_uleb(w->out, 0);
	return any;
}

/** Write the tree of inlined calls; the root is the function itself. */
static void write_inline_tree(struct writer *w,
                              const struct debug_function *function,
                              uint32_t name)
{
	size_t record_size = w->out->size;
	size_t start = begin_piece(w, GSYM_PIECE_INLINES);

	put_uleb(w->out, 1);
	put_uleb(w->out, 0);
	put_uleb(w->out, function->range.high - function->range.low);
	put(w->out, 1, 1);
	put(w->out, name, 4);
	put_uleb(w->out, 0);
	put_uleb(w->out, 0);
	if (write_inlines(w, function->inlines, function->inline_count,
	                  function->range, 0))
		end_piece(w, start);
	else
		w->out->size = record_size;
}

static void write_record(struct writer *w,
                         const struct debug_function *function)
{
	uint32_t name = gsym_tables_string(&w->tables, function->name);

	put(w->out, function->range.high - function->range.low, 4);
	put(w->out, name, 4);
	write_lines(w, function);
	if (function->inline_count)
		write_inline_tree(w, function, name);
	end_piece(w, begin_piece(w, GSYM_PIECE_END));
}

/**
 * Does a function go into the image? Not without a name: the symbol table may
 * have one. Record sizes have 32 bits.
 */
static bool is_writable(const struct debug_function *function)
{
	return function->name && function->name[0] &&
	       function->range.high > function->range.low &&
	       function->range.high - function->range.low <= UINT32_MAX;
}

/** Layout of header and tables. */
struct layout {
	uint64_t base_address;
	uint32_t count;
	unsigned address_size;
	size_t infos_at;
};

static struct error *too_large(void)
{
	return error_new(ERROR_LIMIT,
	                 "debug information needs more than 4 GB as GSYM");
}

/** As llvm-gsymutil: the image's address, below the first function. */
static uint64_t base_address(const struct debug_info *info,
                             const struct debug_function *first)
{
	return info->has_image_address && info->image_address < first->range.low
	               ? info->image_address
	               : first->range.low;
}

static struct error *plan_layout(const struct debug_info *info,
                                 struct layout *ret)
{
	struct layout layout = { 0 };
	uint64_t end = 0;
	uint64_t span = 0;
	uint64_t count = 0;

	for (size_t i = 0; i < info->function_count; i++) {
		const struct debug_function *function = &info->functions[i];

		if (!is_writable(function))
			continue;
		if (function->range.low < end)
			return error_new(
			        ERROR_FORMAT, "functions overlap at 0x%llx",
			        (unsigned long long)function->range.low);
		if (!count++)
			layout.base_address = base_address(info, function);
		span = function->range.low - layout.base_address;
		end = function->range.high;
	}
	if (count > UINT32_MAX / (sizeof(uint64_t) + GSYM_INFO_BYTES))
		return too_large();
	layout.count = (uint32_t)count;
	layout.address_size = span <= UINT8_MAX    ? 1
	                      : span <= UINT16_MAX ? 2
	                      : span <= UINT32_MAX ? 4
	                                           : 8;
	*ret = layout;
	return NULL;
}

static void align_out(struct str *out, size_t alignment)
{
	str_add_repeat(out, '\0', (0 - out->size) % alignment);
}

/** Write header, tables and files; unknown values are zero for now. */
static void write_head(struct writer *w, const struct uuid *uuid,
                       const struct debug_info *info, struct layout *layout)
{
	bool has_uuid = uuid && !uuid_is_zero(uuid);
	struct str *out = w->out;

	put(out, GSYM_MAGIC, 4);
	put(out, GSYM_VERSION, 2);
	put(out, layout->address_size, 1);
	put(out, has_uuid ? sizeof(uuid->bytes) : 0, 1);
	put(out, layout->base_address, 8);
	put(out, layout->count, 4);
	put(out, 0, 4);
	put(out, 0, 4);
	if (has_uuid)
		str_add_bytes(out, uuid->bytes, sizeof(uuid->bytes));
	str_add_repeat(out, '\0', GSYM_HEADER_BYTES - out->size);
	for (size_t i = 0; i < info->function_count; i++) {
		const struct debug_function *function = &info->functions[i];

		if (is_writable(function))
			put(out, function->range.low - layout->base_address,
			    layout->address_size);
	}
	align_out(out, GSYM_INFO_BYTES);
	layout->infos_at = out->size;
	str_add_repeat(out, '\0', (size_t)layout->count * GSYM_INFO_BYTES);
	put(out, w->tables.file_count, 4);
	for (size_t i = 0; i < w->tables.file_count; i++) {
		put(out, w->tables.files[i].directory, 4);
		put(out, w->tables.files[i].name, 4);
	}
}

static struct error *write_records(struct writer *w,
                                   const struct debug_info *info,
                                   const struct layout *layout)
{
	size_t info_at = layout->infos_at;

	for (size_t i = 0; i < info->function_count; i++) {
		if (!is_writable(&info->functions[i]))
			continue;
		align_out(w->out, GSYM_RECORD_ALIGN);
		store(w->out->data + info_at, w->out->size, GSYM_INFO_BYTES);
		info_at += GSYM_INFO_BYTES;
		write_record(w, &info->functions[i]);
		if (w->tables.too_large || w->out->size > UINT32_MAX)
			return too_large();
	}
	return NULL;
}

/** Strings come last, as records add strings. */
static struct error *write_strings(struct writer *w)
{
	uint64_t size = w->tables.strings_size;
	char *header = w->out->data;

	if (w->out->size + size > UINT32_MAX)
		return too_large();
	store(header + GSYM_STRINGS_OFFSET_AT, w->out->size, 4);
	store(header + GSYM_STRINGS_SIZE_AT, size, 4);
	gsym_tables_write_strings(&w->tables, w->out);
	return NULL;
}

struct error *gsym_write(const struct debug_info *info, const struct uuid *uuid,
                         struct str *out)
{
	SCOPED(writer_release)
	struct writer w = { .out = out, .file_count = info->file_count };
	struct layout layout = { 0 };
	struct error *err;

	if ((err = plan_layout(info, &layout)))
		return err;
	gsym_tables_init(&w.tables);
	w.file_map = mem_zalloc(w.file_count, sizeof(*w.file_map));
	for (size_t i = 1; i < w.file_count; i++)
		w.file_map[i] = gsym_tables_file(&w.tables,
		                                 info->files[i].directory,
		                                 info->files[i].name);
	if (w.tables.too_large)
		return too_large();
	write_head(&w, uuid, info, &layout);
	if ((err = write_records(&w, info, &layout)))
		return err;
	return write_strings(&w);
}
