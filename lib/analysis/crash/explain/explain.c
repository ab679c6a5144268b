// SPDX-License-Identifier: MIT
#include "lib/analysis/crash/explain/explain.h"

#include "lib/analysis/crash/explain/lookup.h"
#include "lib/analysis/crash/explain/steps.h"
#include "lib/base/number.h"
#include "lib/darwin/exceptions.h"
#include "lib/darwin/signals.h"

#include <string.h>

/** Common parts of `0x1, 0x10` and `KERN_INVALID_ADDRESS at 0x10`. */
struct codes {
	struct text name; ///< text before ` at `; or empty
	uint64_t address;
	bool has_address;
	uint64_t raw[2];
	size_t raw_count;
};

/**
 * KSCrash prints an unnamed code as a number, perhaps truncated to 32 bits:
 * that is not a raw code.
 */
static void read_codes(const char *in, struct codes *ret)
{
	struct text rest = text_from(in ? in : "");
	size_t at = text_find(rest, " at ");

	if (at != TEXT_NOWHERE) {
		ret->name = text_first(rest, at);
		rest = text_after(rest, at + strlen(" at "));
		ret->has_address = number_take_hex(&rest, &ret->address);
		return;
	}
	while (ret->raw_count < 2 &&
	       number_take_hex(&rest, &ret->raw[ret->raw_count])) {
		ret->raw_count++;
		if (!text_take(&rest, ", "))
			return;
	}
	if (!ret->raw_count)
		ret->name = text_first(rest, text_find_char(rest, ' '));
}

/** `KERN_…`, `EXC_…`, `SEGV_…`: a name, not a number. */
static void keep_name(struct explain *x, const struct codes *codes)
{
	if (x->facts.kern || !codes->name.size ||
	    !text_is_letter(codes->name.data[0]) ||
	    text_find_char(codes->name, '_') == TEXT_NOWHERE)
		return;
	x->facts.kern = arena_text(x->arena, codes->name);
}

/** `UNKNOWN_0x32`, from a system without a name for it. */
static void name_unknown(struct explain *x)
{
	struct text name = text_from(x->facts.kern ? x->facts.kern : "");
	uint64_t code;
	const char *kern;

	if (!text_take(&name, "UNKNOWN_") || !number_hex(name, &code))
		return;
	kern = darwin_exception_code(x->report->code_type,
	                             DARWIN_EXC_BAD_ACCESS, code)
	               .name;
	if (kern)
		x->facts.kern = kern;
}

/**
 * Was the exception a memory access? iOS 11 wrote the address 0 into reports of
 * processes that it killed.
 */
static bool is_access(const struct crash_facts *facts)
{
	if (facts->signal == DARWIN_SIGKILL)
		return false;
	if (facts->exception)
		return facts->exception == DARWIN_EXC_BAD_ACCESS;
	return facts->signal == DARWIN_SIGSEGV ||
	       facts->signal == DARWIN_SIGBUS;
}

static void read_exception(struct explain *x)
{
	const struct report_exception *exception = &x->report->exception;
	struct crash_facts *facts = &x->facts;
	struct codes codes = { .name = TEXT_NONE };
	struct codes subtype = { .name = TEXT_NONE };

	facts->exception = darwin_exception_number(exception->type);
	facts->signal =
	        exception->signal ? darwin_signal_number(exception->signal) : 0;
	facts->is_access = is_access(facts);
	read_codes(exception->codes, &codes);
	read_codes(exception->subtype, &subtype);
	facts->has_code = codes.raw_count > 0;
	facts->code = codes.raw[0];
	facts->has_subcode = codes.raw_count > 1;
	facts->subcode = codes.raw[1];
	if (!facts->is_access && facts->code != DARWIN_ARM_MTE_TAG_FAULT)
		return;
	keep_name(x, &subtype);
	keep_name(x, &codes);
	name_unknown(x);
	if (!facts->kern && facts->has_code)
		facts->kern = darwin_exception_code(x->report->code_type,
		                                    DARWIN_EXC_BAD_ACCESS,
		                                    facts->code)
		                      .name;
	facts->has_address = true;
	if (codes.has_address)
		facts->address = codes.address;
	else if (subtype.has_address)
		facts->address = subtype.address;
	else if (facts->has_subcode)
		facts->address = facts->subcode;
	else
		facts->has_address = false;
}

/** MetricKit has the address only in its text about memory regions. */
static void read_region_address(struct explain *x)
{
	const char *region = report_section(x->report, "VM Region Info");
	struct text rest = text_from(region ? region : "");
	struct text word;

	if (!x->facts.is_access || x->facts.has_address ||
	    !text_next_word(&rest, &word) ||
	    !text_starts(text_trim_left(rest), "is "))
		return;
	x->facts.has_address = number_hex(word, &x->facts.address);
}

/** The processor did not report the address (lib/darwin/exceptions). */
static void drop_unknown_address(struct crash_facts *facts)
{
	if (facts->kern && !strcmp(facts->kern, "EXC_I386_GPFLT"))
		facts->has_address = false;
}

static void find_stack(struct explain *x)
{
	const struct report *report = x->report;
	struct crash_facts *facts = &x->facts;

	facts->thread = report_crashed_thread(report);
	for (size_t i = 0; facts->thread && i < report->thread_count; i++)
		if (report->threads[i] == facts->thread)
			facts->thread_index = i;
	if (report->exception_backtrace.count)
		facts->stack = &report->exception_backtrace;
	else if (facts->thread && facts->thread->stack.count)
		facts->stack = &facts->thread->stack;
}

static void read_facts(struct explain *x)
{
	const char *name = x->report->process.name;

	read_exception(x);
	read_region_address(x);
	drop_unknown_address(&x->facts);
	find_stack(x);
	x->facts.process = name && *name ? explain_quote(x, name)
	                                 : "the process";
}

/** An answer from a part of a report says so, and where the part ends. */
static void claim_loss(struct explain *x)
{
	const char *place = report_end_place(x->report);

	if (!place)
		return;
	explain_claim(x, CONFIDENCE_CERTAIN,
	              "the report is incomplete: what follows this place is "
	              "missing or could not be read");
	explain_cite(x, (struct evidence){ .place = place });
}

const struct explanation *explain_report(const struct report *report,
                                         struct crash_functions *functions,
                                         struct arena *arena)
{
	static void (*const subjects[])(struct explain * x) = {
		explain_waits,      explain_no_crash, explain_jetsam,
		explain_reporter,   explain_watchdog, explain_termination,
		explain_resource,   explain_guard,    explain_deadlock,
		explain_overflow,   explain_console,  explain_thrown,
		explain_graphics,   explain_hardware, explain_corruption,
		explain_arithmetic, explain_zombie,   explain_fatal_access,
		explain_address,    explain_messages, explain_exception,
		explain_launch,     explain_where,
	};
	struct explanation *answer = arena_alloc(arena, sizeof(*answer));
	struct explain x = { .report = report,
		             .functions = functions,
		             .arena = arena,
		             .answer = answer };

	if (functions) {
		crash_functions_begin(functions);
		functions->budget = lag_rules_budget();
	}
	answer->report = report;
	read_facts(&x);
	for (size_t i = 0; i < ARRAY_SIZE(subjects); i++)
		subjects[i](&x);
	// Its text has neither the exception nor its codes.
	if (!x.concluded && text_same(report->format, "crashlytics"))
		explain_advise(&x, "look at the page of the issue: it shows "
		                   "the exception and its address, which the "
		                   "text does not have");
	explain_conclude(&x, CAUSE_UNKNOWN, CONFIDENCE_CERTAIN,
	                 "inconclusive: the report does not say why %s ended",
	                 x.facts.process);
	claim_loss(&x);
	explain_drop_unproven(&x);
	return answer;
}
