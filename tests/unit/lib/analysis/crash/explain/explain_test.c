// SPDX-License-Identifier: MIT
#include "lib/analysis/crash/explain/explain.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/** A frame of a crash; in the app unless @c is_system. */
struct frame {
	const char *symbol;
	bool is_system;
};

/** A report in short; what is NULL or 0 is not said. */
struct crash {
	const char *name;
	const char *type;
	const char *signal;
	const char *codes;
	const char *subtype;
	const char *space; ///< of the termination
	uint64_t code;
	bool is_codeless; ///< the termination has none
	const char *indicator;
	const char *reason;
	const char *region; ///< VM Region Info
	const char *said;   ///< Application Specific Information
	const char *dyld;   ///< Dyld Error Message
	const char *thrown; ///< the name of an exception
	const char *thrown_reason;
	struct frame frames[4]; ///< innermost first
	size_t times;           ///< the first frame, again and again
	const char *cause;
	enum confidence confidence;
	const char *verdict; ///< some words of it
};

#define ACCESS(address, more)                          \
	.type = "EXC_BAD_ACCESS", .signal = "SIGSEGV", \
	.codes = "0x0000000000000001, " address,       \
	.subtype = "KERN_INVALID_ADDRESS at " address, more
#define ABORTED .type = "EXC_CRASH", .signal = "SIGABRT", .codes = "0x0, 0x0"
#define TRAPPED                                        \
	.type = "EXC_BREAKPOINT", .signal = "SIGTRAP", \
	.codes = "0x1, 0x100001000"
#define OWN .frames = { { .symbol = "demo()" } }

#define GUARD_PAGE                                                         \
	"0x16f0a3ff0 is in 0x16f0a0000-0x16f0a4000;\n      REGION TYPE\n"  \
	"--->  STACK GUARD    16f0a0000-16f0a4000 [ 16K] ---/rwx SM=NUL\n" \
	"      Stack"

static const struct crash crashes[] = {
	{ .name = "null",
	  ACCESS("0x0000000000000010", OWN),
	  .cause = "null-dereference",
	  .confidence = CONFIDENCE_LIKELY,
	  .verdict = "null plus 16" },
	{ .name = "the last of null",
	  ACCESS("0x0000000000003ffc", OWN),
	  .cause = "null-dereference",
	  .confidence = CONFIDENCE_LIKELY,
	  .verdict = "null plus 16380" },
	{ .name = "beyond null",
	  ACCESS("0x0000000102340000", OWN),
	  .cause = "bad-access",
	  .confidence = CONFIDENCE_CERTAIN,
	  .verdict = "Demo" },
	{ .name = "guard page",
	  .type = "EXC_BAD_ACCESS",
	  .signal = "SIGBUS",
	  .codes = "0x0000000000000002, 0x000000016f0a3ff0",
	  .subtype = "KERN_PROTECTION_FAILURE at 0x000000016f0a3ff0",
	  OWN,
	  .region = GUARD_PAGE,
	  .cause = "stack-overflow",
	  .confidence = CONFIDENCE_LIKELY,
	  .verdict = "out of stack" },
	{ .name = "recursion",
	  .type = "EXC_BAD_ACCESS",
	  .signal = "SIGBUS",
	  .codes = "0x0000000000000002, 0x000000016f0a3ff0",
	  .subtype = "KERN_PROTECTION_FAILURE at 0x000000016f0a3ff0",
	  .region = GUARD_PAGE,
	  .frames = { { .symbol = "visit(_:)" } },
	  .times = 40,
	  .cause = "stack-overflow",
	  .confidence = CONFIDENCE_CERTAIN,
	  .verdict = "recursion in visit(_:)" },
	{ .name = "watchdog",
	  .type = "EXC_CRASH",
	  .signal = "SIGKILL",
	  .codes = "0x0, 0x0",
	  .space = "FRONTBOARD",
	  .code = 0x8BADF00D,
	  .reason = "scene-create watchdog transgression: "
	            "app<com.example.demo>:612 exhausted real (wall clock) "
	            "time allowance of 20.00 seconds",
	  OWN,
	  .cause = "watchdog",
	  .confidence = CONFIDENCE_CERTAIN,
	  .verdict = "within 20 s" },
	{ .name = "dead class",
	  ACCESS("0x00000000deadface", OWN),
	  .cause = "use-after-free",
	  .confidence = CONFIDENCE_LIKELY,
	  .verdict = "freed" },
	{ .name = "zombie",
	  ABORTED,
	  OWN,
	  .said = "*** -[Demo run]: message sent to deallocated instance "
	          "0x280a1b2c0",
	  .cause = "use-after-free",
	  .confidence = CONFIDENCE_CERTAIN,
	  .verdict = "deallocated instance" },
	{ .name = "Swift, in words",
	  TRAPPED,
	  OWN,
	  .said = "Demo/main.swift:10: Fatal error: Index out of range",
	  .cause = "swift-trap",
	  .confidence = CONFIDENCE_CERTAIN,
	  .verdict = "Index out of range" },
	{ .name = "Swift, by its frame",
	  TRAPPED,
	  .frames = { { .symbol = "_assertionFailure(_:_:file:line:flags:)",
	                .is_system = true },
	              { .symbol = "applyDiscount(_:)" } },
	  .cause = "swift-trap",
	  .confidence = CONFIDENCE_CERTAIN,
	  .verdict = "Swift" },
	{ .name = "Objective-C",
	  ABORTED,
	  OWN,
	  .thrown = "NSRangeException",
	  .thrown_reason = "index 3 beyond bounds [0 .. 2]",
	  .cause = "objc-exception",
	  .confidence = CONFIDENCE_CERTAIN,
	  .verdict = "NSRangeException: index 3 beyond bounds [0 .. 2]" },
	{ .name = "memory tag",
	  .type = "EXC_BAD_ACCESS",
	  .signal = "SIGSEGV",
	  .codes = "0x0000000000000106, 0x0a00000170001000",
	  .subtype = "EXC_ARM_MTE_TAG_FAULT at 0x0a00000170001000",
	  OWN,
	  .cause = "mte-tag-fault",
	  .confidence = CONFIDENCE_CERTAIN,
	  .verdict = "memory tag" },
	{ .name = "memory tag of a guard",
	  .type = "EXC_GUARD",
	  .signal = "SIGKILL",
	  .codes = "0x0000000000000106, 0x0a00000170001000",
	  OWN,
	  .cause = "mte-tag-fault",
	  .confidence = CONFIDENCE_CERTAIN,
	  .verdict = "memory tag" },
	{ .name = "library",
	  ABORTED,
	  .space = "DYLD",
	  .code = 1,
	  .indicator = "Library missing",
	  .dyld = "  Library not loaded: @rpath/Kit.framework/Kit\n"
	          "  Referenced from: /Applications/Demo.app/Demo\n"
	          "  Reason: image not found",
	  .cause = "dyld",
	  .confidence = CONFIDENCE_CERTAIN,
	  .verdict = "a library is missing: @rpath/Kit.framework/Kit" },
	{ .name = "library, in the reasons",
	  ABORTED,
	  .space = "DYLD",
	  .code = 1,
	  .indicator = "Library missing",
	  .reason = "Library not loaded: @rpath/Kit.framework/Kit",
	  .cause = "dyld",
	  .confidence = CONFIDENCE_CERTAIN,
	  .verdict = "a library is missing: @rpath/Kit.framework/Kit" },
	{ .name = "library, without a termination",
	  .type = "EXC_BREAKPOINT",
	  .signal = "SIGTRAP",
	  .dyld = "Symbol not found: _kit_open\n"
	          "  Referenced from: /Applications/Demo.app/Demo\n"
	          "  Expected in: /usr/lib/libkit.dylib",
	  .cause = "dyld",
	  .confidence = CONFIDENCE_CERTAIN,
	  .verdict = "a symbol is missing in a library: _kit_open" },
	{ .name = "linker, without a code",
	  ABORTED,
	  .space = "DYLD",
	  .is_codeless = true,
	  .indicator = "Symbol missing",
	  .cause = "dyld",
	  .confidence = CONFIDENCE_CERTAIN,
	  .verdict = "a symbol is missing" },
	{ .name = "a watch's code of code signing",
	  .type = "EXC_CRASH",
	  .signal = "SIGKILL",
	  .space = "CODESIGNING",
	  .code = 0xc51bad01,
	  .indicator = "CS_KILLED (invalid page)",
	  .cause = "code-signature",
	  .confidence = CONFIDENCE_CERTAIN,
	  .verdict = "does not match the signature" },
	{ .name = "an unknown code of code signing",
	  .type = "EXC_CRASH",
	  .signal = "SIGKILL",
	  .space = "CODESIGNING",
	  .code = 0x8badf00d,
	  .cause = "code-signature",
	  .confidence = CONFIDENCE_CERTAIN,
	  .verdict = "code signing ended Demo" },
	{ .name = "the watch's own",
	  .type = "EXC_CRASH",
	  .signal = "SIGKILL",
	  .space = "RUNNINGBOARD",
	  .code = 0xc51bad01,
	  .cause = "background-task",
	  .confidence = CONFIDENCE_CERTAIN,
	  .verdict = "too much CPU time" },
	{ .name = "guard, by its termination",
	  .type = "EXC_GUARD",
	  .signal = "SIGKILL",
	  .subtype = "GUARD_TYPE_MACH_PORT",
	  .codes = "0x0000000000046350, 0x0000000000000000",
	  .space = "GUARD",
	  .code = 0x2000000600001203,
	  .frames = { { .symbol = "mach_port_deallocate", .is_system = true } },
	  .cause = "guard",
	  .confidence = CONFIDENCE_CERTAIN,
	  .verdict = "a Mach port, an exception behavior" },
	{ .name = "guard, by its type",
	  .type = "EXC_GUARD",
	  .signal = "SIGKILL",
	  .subtype = "GUARD_TYPE_FD",
	  OWN,
	  .cause = "guard",
	  .confidence = CONFIDENCE_CERTAIN,
	  .verdict = "a guarded resource: a file descriptor" },
	{ .name = "nothing",
	  .frames = { { .symbol = NULL } },
	  .cause = "inconclusive",
	  .confidence = CONFIDENCE_CERTAIN,
	  .verdict = "inconclusive" },
};

static void add_image(struct report *report, const char *name, const char *path,
                      uint64_t base, struct arena *arena)
{
	*report_add_image(report, arena) = (struct report_image){
		.name = name,
		.path = path,
		.base = base,
		.size = 0x100000,
		.arch = "arm64",
	};
}

static void add_frame(struct report *report, const struct frame *from,
                      struct arena *arena)
{
	struct report_frame *frame =
	        report_add_frame(&report->threads[0]->stack, arena);

	frame->image = from->is_system;
	frame->image_offset = 0x1000;
	frame->address = report->images[frame->image].base + 0x1000;
	frame->calls = arena_alloc(arena, sizeof(*frame->calls));
	frame->calls[0].symbol = from->symbol;
	frame->call_count = 1;
}

/** A report of an iPhone as its reader would make it, without a text. */
static struct report *make(const struct crash *crash, struct arena *arena)
{
	struct report *report = report_new(arena);
	const char **reasons = arena_array(arena, 1, sizeof(*reasons));

	report->format = "ips-crash";
	report->process.name = "Demo";
	report->code_type = "ARM-64";
	report->os_version = "iPhone OS 17.2 (21C62)";
	add_image(report, "Demo", "/private/var/x/Demo.app/Demo", 0x100000000,
	          arena);
	add_image(report, "libswiftCore.dylib",
	          "/usr/lib/swift/libswiftCore.dylib", 0x180000000, arena);
	report->exception.type = crash->type;
	report->exception.signal = crash->signal;
	report->exception.codes = crash->codes;
	report->exception.subtype = crash->subtype;
	report->thrown.name = crash->thrown;
	report->thrown.reason = crash->thrown_reason;
	report->thrown.kind = crash->thrown ? "objc-exception" : NULL;
	report->termination.namespace_name = crash->space;
	report->termination.code = crash->code;
	report->termination.has_code = crash->space && !crash->is_codeless;
	report->termination.indicator = crash->indicator;
	reasons[0] = crash->reason;
	report->termination.reasons = reasons;
	report->termination.reason_count = crash->reason ? 1 : 0;
	if (crash->region)
		report_add_section(report, arena, "VM Region Info",
		                   crash->region);
	if (crash->said)
		report_add_section(report, arena,
		                   "Application Specific Information",
		                   crash->said);
	if (crash->dyld)
		report_add_section(report, arena, "Dyld Error Message",
		                   crash->dyld);
	report_add_thread(report, arena)->crashed = true;
	for (size_t i = 0; i < ARRAY_SIZE(crash->frames); i++)
		if (crash->frames[i].symbol)
			add_frame(report, &crash->frames[i], arena);
	for (size_t i = 1; i < crash->times; i++)
		add_frame(report, &crash->frames[0], arena);
	return report;
}

/** The built-in ones, read once. */
static struct lag_rules built_in;
static struct crash_functions functions = { .rules = &built_in };

static struct crash_functions *rules(void)
{
	if (!built_in.count)
		assert_null(lag_rules_add_meanings(&built_in));
	return &functions;
}

static int release_rules(void **state UNUSED)
{
	crash_functions_release(&functions);
	lag_rules_release(&built_in);
	return 0;
}

static const struct crash *find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(crashes); i++)
		if (!strcmp(crashes[i].name, name))
			return &crashes[i];
	fail_msg("no crash is called %s", name);
	return NULL;
}

static void each_crash_has_its_cause(void **state UNUSED)
{
	for (size_t i = 0; i < ARRAY_SIZE(crashes); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		const struct crash *crash = &crashes[i];
		const struct explanation *e =
		        explain_report(make(crash, &arena), rules(), &arena);

		if (strcmp(e->cause, crash->cause) != 0 ||
		    e->confidence != crash->confidence ||
		    !strstr(e->verdict, crash->verdict))
			fail_msg("%s: %s (%s): %s", crash->name, e->cause,
			         confidence_name(e->confidence), e->verdict);
	}
}

static void each_claim_is_proven(void **state UNUSED)
{
	for (size_t i = 0; i < ARRAY_SIZE(crashes); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		const struct explanation *e = explain_report(
		        make(&crashes[i], &arena), rules(), &arena);

		for (size_t k = 0; k < e->claim_count; k++)
			if (!e->claims[k].evidence_count ||
			    !e->claims[k].evidence[0].place)
				fail_msg("%s: '%s' has no evidence",
				         crashes[i].name, e->claims[k].text);
	}
}

/** The evidence of the claim that has these words. */
static const struct evidence *evidence_of_claim(const struct explanation *e,
                                                const char *words)
{
	for (size_t i = 0; i < e->claim_count; i++)
		if (strstr(e->claims[i].text, words))
			return &e->claims[i].evidence[0];
	fail_msg("no claim has '%s'", words);
	return NULL;
}

static void evidence_names_the_frame_it_is(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = make(find("Swift, by its frame"), &arena);
	const struct explanation *e = explain_report(report, rules(), &arena);
	const struct evidence *own =
	        evidence_of_claim(e, "the innermost frame of the app");

	assert_ptr_equal(own->stack, &report->threads[0]->stack);
	assert_int_equal(own->frame, 1);
	assert_string_equal(own->place, "threads[0].frames[1]");
}

static void evidence_names_the_register_it_is(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = make(find("null"), &arena);
	struct report_thread_state *s = &report->threads[0]->state;
	const struct explanation *e;
	const struct evidence *reg;

	s->flavor = "ARM Thread State (64-bit)";
	*report_add_register(s, &arena) = (struct report_register){
		.name = "esr",
		.value = 0x92000046,
		.available = true,
		.note = "(Data Abort) byte write Translation fault",
	};
	e = explain_report(report, rules(), &arena);
	reg = evidence_of_claim(e, "the instruction tried to write");
	assert_string_equal(reg->reg, "esr");
	assert_null(reg->stack);
	assert_string_equal(reg->place, "threads[0].threadState");
}

static void evidence_names_the_label_that_text_has(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct explanation *e =
	        explain_report(make(find("null"), &arena), rules(), &arena);
	const struct evidence *type = evidence_of_claim(e, "EXC_BAD_ACCESS: ");

	assert_string_equal(type->labels[0], "Exception Type:");
	assert_string_equal(type->place, "exception.type");
}

static void a_guard_says_what_to_look_for(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = make(find("guard, by its termination"), &arena);
	const struct explanation *e = explain_report(report, rules(), &arena);

	assert_non_null(strstr(e->next_step, "exception ports"));
	assert_string_equal(evidence_of_claim(e, "a Mach port: ")->place,
	                    "termination.code");
	evidence_of_claim(e, "the innermost call is mach_port_deallocate");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_guard_says_what_to_look_for),
		cmocka_unit_test(each_crash_has_its_cause),
		cmocka_unit_test(each_claim_is_proven),
		cmocka_unit_test(evidence_names_the_frame_it_is),
		cmocka_unit_test(evidence_names_the_register_it_is),
		cmocka_unit_test(evidence_names_the_label_that_text_has),
	};

	return cmocka_run_group_tests(tests, NULL, release_rules);
}
