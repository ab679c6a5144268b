// SPDX-License-Identifier: MIT
#include "lib/analysis/crash/explain/steps.h"
#include "lib/base/text.h"
#include "lib/darwin/terminations.h"

#include <string.h>

// The dynamic linker's message: a section of its own in text reports, the
// termination reasons since macOS 12 and iOS 15.

#define SECTION "Dyld Error Message"

/** Lines of the message that name something. */
static const struct {
	const char *label;
	const char *what;
	bool is_subject; ///< the verdict names it
} lines[] = {
	{ "Library not loaded: ", "the library that is missing is", true },
	{ "Symbol not found: ", "the symbol that is missing is", true },
	{ "Symbol missing: ", "the symbol that is missing is", true },
	{ "Referenced from: ", "it is needed by", false },
	{ "Expected in: ", "it was looked for in", false },
	{ "Reason: ", "the reason is", false },
};

/** The text after @p label on its line; or empty. */
static struct text value_in(const char *text, const char *label)
{
	struct text all = text_from(text ? text : "");
	size_t at = text_find(all, label);

	if (at == TEXT_NOWHERE)
		return TEXT_NONE;
	all = text_after(all, at + strlen(label));
	return text_trim(text_first(all, text_find_char(all, '\n')));
}

/** The value of a line of the message, from any place in the report. */
static struct text find_value(const struct explain *x, const char *label,
                              struct evidence *ret)
{
	const struct report_termination *t = &x->report->termination;
	struct text value = value_in(report_section(x->report, SECTION), label);

	*ret = evidence_of_section(x, SECTION, label);
	for (size_t i = 0; !value.size && i < t->reason_count; i++) {
		value = value_in(t->reasons[i], label);
		*ret = evidence_of(x, PLACE_REASONS);
	}
	return value;
}

/** Claim the whole message if its lines are unknown. */
static void claim_message(struct explain *x)
{
	const char *message = report_section(x->report, SECTION);

	if (!message || !*message)
		return;
	explain_claim(x, CONFIDENCE_CERTAIN, "the dynamic linker says: %s",
	              explain_quote(x, message));
	explain_cite(x, evidence_of_section(x, SECTION, NULL));
}

const char *explain_dyld_claim(struct explain *x)
{
	const char *subject = NULL;
	bool found = false;

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		struct evidence evidence;
		struct text value = find_value(x, lines[i].label, &evidence);
		const char *quoted;

		if (!value.size)
			continue;
		found = true;
		quoted = explain_quote(x, arena_text(x->arena, value));
		explain_claim(x, CONFIDENCE_CERTAIN, "%s %s", lines[i].what,
		              quoted);
		explain_cite(x, evidence);
		if (lines[i].is_subject && !subject)
			subject = quoted;
	}
	if (!found)
		claim_message(x);
	return subject;
}

/** The code for a message: the first whose words it contains. */
static const struct termination_code *code_of_message(const char *message)
{
	static const struct {
		const char *words;
		uint64_t code;
	} codes[] = {
		{ "Incompatible library version", 3 },
		{ "Symbol not found", 4 },
		{ "Symbol missing", 4 },
		{ "Library not loaded", 1 },
		{ "ibrary missing", 1 },
		{ "wrong architecture", 2 },
		{ "incompatible architecture", 2 },
		{ "code signature", 5 },
		{ "sandbox", 6 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(codes); i++)
		if (strstr(message, codes[i].words))
			return termination_code_find("DYLD", codes[i].code);
	return termination_code_find("DYLD", 9);
}

void explain_dyld(struct explain *x)
{
	const char *message = report_section(x->report, SECTION);
	const struct termination_code *code;
	const char *subject;

	if (x->concluded || !message || !*message)
		return;
	code = code_of_message(message);
	subject = explain_dyld_claim(x);
	explain_advise(x, code->advice);
	explain_conclude(x, CAUSE_DYLD, CONFIDENCE_CERTAIN,
	                 "the dynamic linker could not load %s: %s%s%s",
	                 x->facts.process, code->meaning, subject ? ": " : "",
	                 subject ? subject : "");
}
