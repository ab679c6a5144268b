// SPDX-License-Identifier: MIT
#include "parsers/crash_text/registers.h"

#include "lib/base/number.h"
#include "lib/darwin/registers.h"

// One report has one register state, seldom a few; each looks for its thread.
#define STATE_LIMIT 1000

/** The last thread with @p number, else the crashed one. */
static struct report_thread *state_owner(struct report *report, uint64_t number,
                                         bool has_number)
{
	for (size_t i = report->thread_count; has_number && i > 0; i--)
		if (report->threads[i - 1]->number == number)
			return report->threads[i - 1];
	for (size_t i = 0; i < report->thread_count; i++)
		if (report->threads[i]->crashed)
			return report->threads[i];
	return NULL;
}

void crash_text_begin_registers(struct crash_text_reader *reader,
                                uint64_t number, bool has_number,
                                struct text flavor)
{
	struct report_thread *thread;

	crash_text_begin_part(reader, CRASH_TEXT_REGISTERS, NULL);
	thread = reader->state_count++ < STATE_LIMIT
	                 ? state_owner(reader->text.report, number, has_number)
	                 : NULL;
	flavor = text_trim(flavor);
	if (text_ends(flavor, ":"))
		flavor = text_first(flavor, flavor.size - 1);
	// A second state of one thread is kept as text.
	reader->registers = thread && !thread->state.flavor ? thread : NULL;
	if (reader->registers)
		thread->state.flavor = arena_text(reader->text.arena, flavor);
}

/** Remove `name:` and the blanks after it from the front. */
static bool take_register_name(struct text *rest, struct text *ret)
{
	struct text left = text_trim_left(*rest);
	size_t size = 0;

	while (size < left.size && text_is_alnum(left.data[size]))
		size++;
	if (!size || size == left.size || left.data[size] != ':')
		return false;
	*ret = text_first(left, size);
	*rest = text_trim_left(text_after(left, size + 1));
	return true;
}

/** Remove one cell from the front: `x0: 0x…`, `rip: <unavailable>`. */
static bool take_register(struct text *rest, struct text *name,
                          struct report_register *ret)
{
	struct text left = *rest;
	size_t size = 0;

	if (!take_register_name(&left, name))
		return false;
	while (size < left.size && !text_is_space(left.data[size]))
		size++;
	if (text_starts(left, "0x") &&
	    number_hex(text_first(left, size), &ret->value))
		ret->available = true;
	else if (!text_is(text_first(left, size), "<unavailable>"))
		return false;
	*rest = text_after(left, size);
	return true;
}

/** Remove the text before the next cell, or the end, from the front. */
static struct text take_register_note(struct text *rest)
{
	struct text note = *rest;

	for (size_t i = 0; i < note.size; i++) {
		struct text left = text_after(note, i);
		struct report_register cell;
		struct text name;

		// Only the last of several blanks: each try skips them all.
		if (!text_is_space(note.data[i]) || i + 1 == note.size ||
		    text_is_space(note.data[i + 1]) ||
		    !take_register(&left, &name, &cell))
			continue;
		*rest = text_after(note, i);
		return text_trim(text_first(note, i));
	}
	*rest = TEXT_NONE;
	return text_trim(note);
}

/** The lines below the registers of x86: processor, error code, trap. */
static bool read_trap(struct crash_text_reader *reader, struct text line)
{
	static const char *const labels[] = { DARWIN_LOGICAL_CPU,
		                              DARWIN_ERROR_CODE,
		                              DARWIN_TRAP_NUMBER };

	for (size_t i = 0; reader->registers && i < ARRAY_SIZE(labels); i++) {
		struct text value = line;

		if (!text_take(&value, labels[i]) || !text_take(&value, ":"))
			continue;
		report_add_field(
		        reader->text.report, reader->text.arena, labels[i],
		        arena_text(reader->text.arena, text_trim(value)));
		line_reader_keep(&reader->text, line.data);
		return true;
	}
	return false;
}

bool crash_text_register_line(struct crash_text_reader *reader,
                              struct text line)
{
	struct text rest = line;
	struct report_register cell = { 0 };
	struct text name;

	if (read_trap(reader, line))
		return true;
	if (reader->part != CRASH_TEXT_REGISTERS ||
	    !take_register(&rest, &name, &cell))
		return false;
	do {
		// `esr: 0x92000006 (Data Abort) byte read Translation fault`
		struct text note = take_register_note(&rest);

		if (reader->registers) {
			cell.name = arena_text(reader->text.arena, name);
			if (note.size)
				cell.note =
				        arena_text(reader->text.arena, note);
			*report_add_register(&reader->registers->state,
			                     reader->text.arena) = cell;
		}
		cell = (struct report_register){ 0 };
	} while (take_register(&rest, &name, &cell));
	line_reader_keep(&reader->text, line.data);
	return true;
}
