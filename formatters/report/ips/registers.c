// SPDX-License-Identifier: MIT
#include "formatters/report/ips/ips.h"

#include "lib/base/number.h"
#include "lib/base/str.h"
#include "lib/darwin/registers.h"

#include <inttypes.h>
#include <string.h>

static const struct report_register *find_register(
        const struct report_thread_state *state, const char *name)
{
	for (size_t i = 0; i < state->count; i++)
		if (!strcmp(state->registers[i].name, name))
			return &state->registers[i];
	return NULL;
}

/** The target of the value, `symbol + 12`, or its meaning. */
static void add_note(struct json_writer *w, const struct report_register *reg)
{
	struct text note = text_from(reg->note ? reg->note : "");
	size_t plus = text_find_last(note, " + ");
	uint64_t offset;

	if (plus != TEXT_NOWHERE &&
	    number_decimal(text_after(note, plus + strlen(" + ")), &offset)) {
		json_number(w, "symbolLocation", offset);
		ips_add_text(w, "symbol", text_first(note, plus));
	} else {
		json_text(w, "description", reg->note);
	}
}

static void add_register(struct json_writer *w, const char *key,
                         const struct report_register *reg)
{
	json_open_object(w, key);
	if (reg->available)
		json_number(w, "value", reg->value);
	add_note(w, reg);
	json_close(w);
}

/** Max numbered registers, x0 to x28; 32-bit ARM has r0 to r12. */
#define NUMBERED_MAX 29

/** The register @p index of the array; r12 goes by the name of ip, too. */
static const struct report_register *numbered_register(
        const struct report_thread_state *state, const char *prefix,
        size_t index)
{
	SCOPED(str_release) struct str name = { 0 };
	const struct report_register *reg;

	str_addf(&name, "%s%zu", prefix, index);
	reg = find_register(state, str_cstr(&name));
	if (!reg && index == 12 && *prefix == 'r')
		reg = find_register(state, "ip");
	return reg;
}

static size_t add_numbered(struct json_writer *w,
                           const struct report_thread_state *state,
                           const char *prefix)
{
	const struct report_register *reg;
	size_t count = 0;

	if (!numbered_register(state, prefix, 0))
		return 0;
	json_open_array(w, "x");
	while (count < NUMBERED_MAX &&
	       (reg = numbered_register(state, prefix, count))) {
		add_register(w, NULL, reg);
		count++;
	}
	json_close(w);
	return count;
}

/** Rosetta's own registers; rip may be unknown. */
static bool is_rosetta(const char *name)
{
	return text_starts(text_from(name), "tmp");
}

/** Is the register one of the first @p count of the array? */
static bool is_numbered(const char *name, const char *prefix, size_t count)
{
	uint64_t index;
	struct text text = text_from(name);

	if (!strcmp(name, "ip"))
		return *prefix == 'r' && count > 12;
	return text_take(&text, prefix) && number_decimal(text, &index) &&
	       index < count;
}

static bool is_repeated(const struct report_thread_state *state, size_t index)
{
	return find_register(state, state->registers[index].name) !=
	       &state->registers[index];
}

static void add_named(struct json_writer *w,
                      const struct report_thread_state *state,
                      const struct darwin_thread_state *kind, size_t numbered)
{
	bool has_rosetta = false;

	for (size_t i = 0; i < state->count; i++) {
		const struct report_register *reg = &state->registers[i];

		if (is_repeated(state, i) ||
		    is_numbered(reg->name, kind->array_prefix, numbered))
			continue;
		has_rosetta |= is_rosetta(reg->name);
		if (reg->available && !is_rosetta(reg->name))
			add_register(w, darwin_register_key(kind, reg->name),
			             reg);
	}
	if (!has_rosetta)
		return;
	json_open_object(w, "rosetta");
	for (size_t i = 0; i < state->count; i++)
		if (is_rosetta(state->registers[i].name) &&
		    !is_repeated(state, i))
			add_register(w, state->registers[i].name,
			             &state->registers[i]);
	json_close(w);
}

/** The lines below the registers of x86: processor, error code, trap. */
static void add_trap(struct json_writer *w, const struct report *report)
{
	static const char *const rows[][2] = {
		{ "cpu", DARWIN_LOGICAL_CPU },
		{ "err", DARWIN_ERROR_CODE },
		{ "trap", DARWIN_TRAP_NUMBER },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const char *value = report_field(report, rows[i][1]);
		struct text text = text_from(value ? value : "");
		size_t blank = text_find_char(text, ' ');
		uint64_t number;

		if (!number_any(text_first(text, blank), &number))
			continue;
		json_open_object(w, rows[i][0]);
		json_number(w, "value", number);
		if (blank != TEXT_NOWHERE)
			ips_add_text(w, "description",
			             text_trim(text_after(text, blank)));
		json_close(w);
	}
}

void ips_add_registers(struct json_writer *w, const struct report *report,
                       const struct report_thread *thread)
{
	const struct report_thread_state *state = &thread->state;
	const struct darwin_thread_state *kind =
	        state->flavor ? darwin_thread_state_of_title(state->flavor)
	                      : NULL;
	size_t numbered;

	// As many come from a broken report, and looking them up is quadratic.
	if (!kind || state->count > 128)
		return;
	json_open_object(w, "threadState");
	json_text(w, "flavor", kind->flavor);
	numbered = add_numbered(w, state, kind->array_prefix);
	add_named(w, state, kind, numbered);
	if (kind->is_x86 && thread->crashed)
		add_trap(w, report);
	json_close(w);
}
