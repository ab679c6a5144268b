// SPDX-License-Identifier: MIT
#include "lib/analysis/crash/explain/lookup.h"

#include "lib/base/str.h"
#include "lib/base/utf8.h"

#include <inttypes.h>
#include <string.h>

/** How the compiler of Swift calls a check that it inlined. */
#define SWIFT_FAILURE "Swift runtime failure: "
/** Max bytes of a quotation. */
#define QUOTE_BYTES 240
/** Names of C++ templates are longer, and useless if truncated. */
#define FRAME_BYTES 2048

static const char *quote(const struct explain *x, const char *text, size_t max)
{
	struct text line = text_trim(text_from(text ? text : ""));
	SCOPED(str_release) struct str out = { 0 };
	size_t end = line.size;

	line = text_trim_right(text_first(line, text_find_char(line, '\n')));
	if (line.size == end && end <= max)
		return arena_text(x->arena, line);
	end = line.size < max ? line.size : max;
	// Not within a character of UTF-8.
	while (end && end < line.size &&
	       ((unsigned char)line.data[end] >> 6) == 2)
		end--;
	str_add_text(&out, text_first(line, end));
	if (end < line.size)
		str_add(&out, " …");
	return arena_text(x->arena, str_text(&out));
}

const char *explain_quote(const struct explain *x, const char *text)
{
	return quote(x, text, QUOTE_BYTES);
}

const struct report_section *explain_find_text(const struct explain *x,
                                               const char *needle)
{
	for (size_t i = 0; i < x->report->section_count; i++)
		if (x->report->sections[i].text &&
		    strstr(x->report->sections[i].text, needle))
			return &x->report->sections[i];
	return NULL;
}

const struct report_field *explain_field(const struct explain *x,
                                         const char *label)
{
	for (size_t i = 0; i < x->report->field_count; i++)
		if (!strcmp(x->report->fields[i].label, label))
			return &x->report->fields[i];
	return NULL;
}

const char *explain_line_at(const struct explain *x, const char *text,
                            size_t at)
{
	while (at && text[at - 1] != '\n')
		at--;
	return explain_quote(x, text + at);
}

const struct report_register *explain_register(const struct explain *x,
                                               const char *name)
{
	const struct report_thread_state *state;

	if (!x->facts.thread)
		return NULL;
	state = &x->facts.thread->state;
	for (size_t i = 0; i < state->count; i++)
		if (state->registers[i].available &&
		    !strcmp(state->registers[i].name, name))
			return &state->registers[i];
	return NULL;
}

/** A register under any of its names. */
static const struct report_register *find_register(const struct explain *x,
                                                   const char *const *names)
{
	const struct report_register *found = NULL;

	for (; *names && !found; names++)
		found = explain_register(x, *names);
	return found;
}

const struct report_register *explain_pc(const struct explain *x)
{
	static const char *const names[] = { "pc", "rip", "eip", NULL };

	return find_register(x, names);
}

const struct report_register *explain_sp(const struct explain *x)
{
	static const char *const names[] = { "sp", "rsp", "esp", NULL };

	return find_register(x, names);
}

/** The linker's name for folded identical functions. */
#define FOLDED "<deduplicated_symbol>"

/** The begin of an image, and data: no functions. */
static bool is_data(const char *symbol)
{
	static const char *const starts[] = { "_mh_", "__mh_",
		                              "GCC_except_table",
		                              "___lldb_unnamed_symbol" };
	struct text name = text_from(symbol ? symbol : "");

	for (size_t i = 0; i < ARRAY_SIZE(starts); i++)
		if (text_starts(name, starts[i]))
			return true;
	return false;
}

static const char *name_of(const struct report_call *call)
{
	return text_same(call->symbol, FOLDED) || is_data(call->symbol)
	               ? NULL
	               : call->symbol;
}

const char *explain_symbol(const struct report_frame *frame)
{
	return frame->call_count ? name_of(&frame->calls[frame->call_count - 1])
	                         : NULL;
}

bool explain_is_folded(const struct report_frame *frame)
{
	return frame->call_count &&
	       text_same(frame->calls[frame->call_count - 1].symbol, FOLDED);
}

bool explain_calls(const struct report_frame *frame, const char *prefix)
{
	for (size_t i = 0; i < frame->call_count; i++)
		if (frame->calls[i].symbol &&
		    !strncmp(frame->calls[i].symbol, prefix, strlen(prefix)))
			return true;
	return false;
}

bool explain_find_call(const struct report_stack *stack, size_t max,
                       const char *const *prefixes, size_t *ret)
{
	for (size_t i = 0; stack && i < stack->count && i < max; i++) {
		for (size_t k = 0; prefixes[k]; k++) {
			if (!explain_calls(&stack->frames[i], prefixes[k]))
				continue;
			*ret = i;
			return true;
		}
	}
	return false;
}

const char *explain_image(const struct explain *x,
                          const struct report_frame *frame)
{
	const struct report_image *image = report_frame_image(x->report, frame);

	return image && image->name ? image->name : frame->image_name;
}

bool explain_is_check_message(const struct report_call *call)
{
	return call->symbol &&
	       (text_starts(text_from(call->symbol), SWIFT_FAILURE) ||
	        (strstr(call->symbol, ": assertion ") &&
	         strstr(call->symbol, " failed")));
}

/** The innermost call that is a function; or NULL. */
const struct report_call *explain_call(const struct report_frame *frame)
{
	size_t i = 0;

	while (i + 1 < frame->call_count &&
	       (explain_is_check_message(&frame->calls[i]) ||
	        report_call_is_generated(&frame->calls[i])))
		i++;
	return frame->call_count ? &frame->calls[i] : NULL;
}

const char *explain_frame(const struct explain *x,
                          const struct report_frame *frame)
{
	const struct report_call *call = explain_call(frame);
	const char *image = explain_image(x, frame);
	const char *symbol = call ? name_of(call) : NULL;
	SCOPED(str_release) struct str out = { 0 };

	if (symbol)
		str_add(&out, symbol);
	else if (image && !frame->address && !frame->image_offset)
		str_add(&out, image);
	else if (image &&
	         (frame->image_offset || report_frame_image(x->report, frame)))
		str_addf(&out, "%s + 0x%" PRIx64, image, frame->image_offset);
	else
		str_addf(&out, "0x%" PRIx64, frame->address);
	if (call && call->file && call->line)
		str_addf(&out, " (%s:%" PRIu32 ")", call->file, call->line);
	else if (call && call->file)
		str_addf(&out, " (%s)", call->file);
	if (symbol && image)
		str_addf(&out, " in %s", image);
	return quote(x, str_cstr(&out), FRAME_BYTES);
}

const char *explain_process(const struct explain *x,
                            const struct report_process_ref *process)
{
	if (!process->has_pid)
		return explain_quote(x, process->name);
	return arena_printf(x->arena, "%s [%" PRIu64 "]",
	                    explain_quote(x, process->name), process->pid);
}
