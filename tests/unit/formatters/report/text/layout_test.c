// SPDX-License-Identifier: MIT
#include "tests/unit/formatters/rendered.h"

static void assert_text(const struct report *report, const char *expected)
{
	assert_rendered(&text_formatter, report, expected);
}

static void assert_holds(const struct report *report, const char *expected)
{
	assert_rendered_holds(&text_formatter, report, expected);
}

static void assert_lacks(const struct report *report, const char *unexpected)
{
	SCOPED(mem_drop) char *text = rendered(&text_formatter, report);

	if (strstr(text, unexpected))
		fail_msg("'%s' is in:\n%s", unexpected, text);
}

/** A report that did not come from text, with one image and one thread. */
static struct report *add_report(struct arena *arena)
{
	struct report *report = report_new(arena);
	struct report_image *image = report_add_image(report, arena);
	struct report_thread *thread = report_add_thread(report, arena);

	report->format = "ips-crash";
	report->process.name = "Demo";
	report->process.pid = 612;
	report->process.has_pid = true;
	report->path = "/x/Demo.app/Demo";
	report->code_type = "ARM-64";
	report->date_time = "2026-01-31 09:08:07.1234 +0800";
	report->exception.type = "EXC_BREAKPOINT";
	report->exception.signal = "SIGTRAP";
	report->exception.codes = "0x0000000000000001, 0x0000000100001000";
	image->name = "Demo";
	image->path = "/x/Demo.app/Demo";
	image->arch = "arm64";
	image->base = 0x100000000;
	image->size = 0x4000;
	assert_true(uuid_parse(text_from("1a2b3c4d5e6f30718293a4b5c6d7e8f9"),
	                       &image->uuid));
	thread->crashed = true;
	thread->queue = "com.apple.main-thread";
	return report;
}

static struct report_frame *add_frame(struct report *report,
                                      struct arena *arena, uint64_t offset)
{
	struct report_frame *frame =
	        report_add_frame(&report->threads[0]->stack, arena);

	frame->image = 0;
	frame->image_offset = offset;
	frame->address = report->images[0].base + offset;
	return frame;
}

static void a_call_is_written_as_apple_writes_it(void **state UNUSED)
{
	static const struct {
		struct report_call call;
		const char *text;
	} cases[] = {
		{ { .symbol = "f" }, " f\n" },
		{ { .symbol = "f",
		    .has_symbol_offset = true,
		    .symbol_offset = 28 },
		  " f + 28\n" },
		{ { .symbol = "f",
		    .has_symbol_offset = true,
		    .file = "a.c",
		    .has_line = true,
		    .line = 12 },
		  " f + 0 (a.c:12)\n" },
		// Code that the compiler made has line 0.
		{ { .symbol = "f",
		    .file = "<compiler-generated>",
		    .has_line = true },
		  " f (<compiler-generated>:0)\n" },
		// A file without a line is left out.
		{ { .symbol = "f", .file = "vector" }, " f\n" },
		{ { .symbol = NULL, .file = "a.c" }, " 0x100000000 + 4096\n" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		struct report *report = add_report(&arena);
		struct report_call call = cases[i].call;

		struct report_frame *frame = add_frame(report, &arena, 4096);

		frame->calls = &call;
		frame->call_count = 1;
		assert_holds(report, cases[i].text);
	}
}

static void columns_are_made_where_there_are_none(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = add_report(&arena);
	struct report_frame *nowhere;

	add_frame(report, &arena, 4096);
	nowhere = add_frame(report, &arena, 0);
	nowhere->image = REPORT_NO_IMAGE;
	nowhere->address = 16;
	add_frame(report, &arena, 8)->image_name =
	        "a-name-that-is-longer-than-its-column";
	assert_holds(report,
	             "0   Demo                          \t       0x100001000 "
	             "0x100000000 + 4096\n"
	             "1   ???                           \t              0x10 "
	             "0x0 + 16\n"
	             "2   a-name-that-is-longer-than-its-column\t"
	             "       0x100000008 0x100000000 + 8\n");
}

static void ios_reports_get_report_version_104(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = add_report(&arena);
	const char *const reasons[] = { "first\nsecond" };

	report->incident = "9A000000-0000-4000-8000-000000000001";
	report->hardware_model = "iPhone14,2";
	report->version = "2.1";
	report->build = "210";
	report->os_version = "iPhone OS 17.2 (21C62)";
	report->platform = 2;
	report->exception.subtype = "KERN_INVALID_ADDRESS at 0x10";
	report->exception.note = "EXC_CORPSE_NOTIFY";
	report->termination.namespace_name = "SIGNAL";
	report->termination.code = 5;
	report->termination.has_code = true;
	report->termination.indicator = "Trace/BPT trap: 5";
	report->termination.reasons = reasons;
	report->termination.reason_count = 1;
	report->termination.by.name = "exc handler";
	report->termination.by.pid = 612;
	report->termination.by.has_pid = true;
	report_add_field(report, &arena, "AppVariant", "1:iPhone14,2:16");
	report_add_field(report, &arena, "Unheard Of", "kept");
	report_add_section(report, &arena, "VM Region Info", "0x10 is\n--->");
	report_add_section(report, &arena, "Kernel Triage", "VM - a\nVM - b");
	report_add_section(report, &arena, "VM Region Summary", "left out");
	add_frame(report, &arena, 4096);
	assert_text(
	        report,
	        "Incident Identifier: 9A000000-0000-4000-8000-000000000001\n"
	        "Hardware Model:      iPhone14,2\n"
	        "Process:             Demo [612]\n"
	        "Path:                /x/Demo.app/Demo\n"
	        "Identifier:          Demo\n"
	        "Version:             2.1 (210)\n"
	        "AppVariant:          1:iPhone14,2:16\n"
	        "Code Type:           ARM-64 (Native)\n"
	        "\n"
	        "Date/Time:           2026-01-31 09:08:07.1234 +0800\n"
	        "OS Version:          iPhone OS 17.2 (21C62)\n"
	        "Report Version:      104\n"
	        "Unheard Of:          kept\n"
	        "\n"
	        "Exception Type:  EXC_BREAKPOINT (SIGTRAP)\n"
	        "Exception Subtype: KERN_INVALID_ADDRESS at 0x10\n"
	        "Exception Codes: 0x0000000000000001, 0x0000000100001000\n"
	        "VM Region Info: 0x10 is\n"
	        "--->\n"
	        "Exception Note:  EXC_CORPSE_NOTIFY\n"
	        "Termination Reason: SIGNAL 5 Trace/BPT trap: 5\n"
	        "first\n"
	        "second\n"
	        "Terminating Process: exc handler [612]\n"
	        "\n"
	        "Triggered by Thread:  0\n"
	        "\n"
	        "Kernel Triage:\n"
	        "VM - a\n"
	        "VM - b\n"
	        "\n"
	        "\n"
	        "Thread 0 name:   Dispatch queue: com.apple.main-thread\n"
	        "Thread 0 Crashed:\n"
	        "0   Demo                          \t       0x100001000 "
	        "0x100000000 + 4096\n"
	        "\n"
	        "Binary Images:\n"
	        "       0x100000000 -        0x100003fff Demo arm64  "
	        "<1a2b3c4d5e6f30718293a4b5c6d7e8f9> /x/Demo.app/Demo\n"
	        "\n"
	        "EOF\n");
}

static void macos_reports_get_report_version_12(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = add_report(&arena);
	struct report_thread *other = report_add_thread(report, &arena);
	struct report_image *absolute = report_add_image(report, &arena);

	report->os_version = "macOS 14.1 (23B74)";
	report->platform = 1;
	report->reporter_key = "9A000000-0000-4000-8000-000000000002";
	report->user_id = "501";
	report->exception.subtype = "KERN_INVALID_ADDRESS at 0x10";
	report->termination.namespace_name = "SIGNAL";
	report->termination.code = 5;
	report->termination.has_code = true;
	report->termination.indicator = "Trace/BPT trap: 5";
	report->images[0].bundle_id = "com.example.Demo";
	report->images[0].version = "2.1";
	absolute->kind = 'A';
	other->number = 7;
	other->name = "worker";
	other->queue = "io.queue";
	report_add_field(report, &arena, "Time Awake Since Boot",
	                 "7800 seconds");
	report_add_field(report, &arena, "System Integrity Protection",
	                 "enabled");
	report_add_field(report, &arena, "Notes", "Translocated Process");
	report_add_section(report, &arena, "Thread 0 instruction stream",
	                   "  00 01");
	report_add_section(report, &arena, "VM Region Summary", "all of it");
	report_add_section(report, &arena, "External Modification Summary",
	                   "  nobody");
	assert_text(report,
	            "Process:               Demo [612]\n"
	            "Path:                  /x/Demo.app/Demo\n"
	            "Identifier:            Demo\n"
	            "Version:               ???\n"
	            "Code Type:             ARM-64 (Native)\n"
	            "User ID:               501\n"
	            "\n"
	            "Date/Time:             2026-01-31 09:08:07.1234 +0800\n"
	            "OS Version:            macOS 14.1 (23B74)\n"
	            "Report Version:        12\n"
	            "Anonymous UUID:        "
	            "9A000000-0000-4000-8000-000000000002\n"
	            "\n"
	            "\n"
	            "Time Awake Since Boot: 7800 seconds\n"
	            "\n"
	            "System Integrity Protection: enabled\n"
	            "\n"
	            "Notes:                 Translocated Process\n"
	            "\n"
	            "Crashed Thread:        0  Dispatch queue: "
	            "com.apple.main-thread\n"
	            "\n"
	            "Exception Type:        EXC_BREAKPOINT (SIGTRAP)\n"
	            "Exception Codes:       KERN_INVALID_ADDRESS at 0x10\n"
	            "Exception Codes:       0x0000000000000001, "
	            "0x0000000100001000\n"
	            "\n"
	            "Termination Reason:    Namespace SIGNAL, Code 5 "
	            "Trace/BPT trap: 5\n"
	            "\n"
	            "Thread 0 Crashed::  Dispatch queue: "
	            "com.apple.main-thread\n"
	            "\n"
	            "Thread 7:: worker Dispatch queue: io.queue\n"
	            "\n"
	            "Thread 0 instruction stream:\n"
	            "  00 01\n"
	            "\n"
	            "Binary Images:\n"
	            "       0x100000000 -        0x100003fff "
	            "com.example.Demo (2.1) "
	            "<1a2b3c4d-5e6f-3071-8293-a4b5c6d7e8f9> "
	            "/x/Demo.app/Demo\n"
	            "               0x0 - 0xffffffffffffffff ??? (*) "
	            "<00000000-0000-0000-0000-000000000000> ???\n"
	            "\n"
	            "External Modification Summary:\n"
	            "  nobody\n"
	            "\n"
	            "VM Region Summary:\n"
	            "all of it\n");
}

static void a_simulator_has_the_header_of_ios_and_the_body_of_macos(
        void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = add_report(&arena);

	report->os_version = "macOS 15.2 (24C101)";
	report->platform = 7;
	assert_holds(report, "Report Version:      104\n");
	assert_holds(report, "Thread 0 Crashed::  Dispatch queue: "
	                     "com.apple.main-thread\n");
	assert_holds(report, " Demo (*) <1a2b3c4d-5e6f-3071-8293-"
	                     "a4b5c6d7e8f9> /x/Demo.app/Demo\n\nEOF\n");
}

static void add_registers(struct report_thread *thread, struct arena *arena,
                          const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct report_register *reg =
		        report_add_register(&thread->state, arena);

		reg->name = names[i];
		reg->value = i;
		reg->available = true;
	}
}

static void arm_registers_are_four_in_a_row(void **state UNUSED)
{
	static const char *const names[] = { "x27", "x28",  "fp",  "lr", "sp",
		                             "pc",  "cpsr", "far", "esr" };
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = add_report(&arena);
	struct report_thread *thread = report->threads[0];

	thread->state.flavor = "ARM Thread State (64-bit)";
	add_registers(thread, &arena, names, ARRAY_SIZE(names));
	thread->state.registers[8].note = "(Breakpoint) brk 1";
	assert_holds(report,
	             "\n\n\nThread 0 crashed with ARM Thread State (64-bit):\n"
	             "   x27: 0x0000000000000000  x28: 0x0000000000000001"
	             "   fp: 0x0000000000000002   lr: 0x0000000000000003\n"
	             "    sp: 0x0000000000000004   pc: 0x0000000000000005"
	             " cpsr: 0x00000006\n"
	             "   far: 0x0000000000000007  esr: 0x00000008 (Breakpoint) "
	             "brk 1\n"
	             "\nBinary Images:\n");
}

static void x86_registers_end_with_the_trap(void **state UNUSED)
{
	static const char *const names[] = { "rip", "rfl", "cr2" };
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = add_report(&arena);
	struct report_thread *thread = report->threads[0];

	thread->state.flavor = "X86 Thread State (64-bit)";
	add_registers(thread, &arena, names, ARRAY_SIZE(names));
	// Rosetta does not know it.
	thread->state.registers[0].available = false;
	// What a value points at is not part of Apple's text.
	thread->state.registers[1].note = "main + 8";
	report_add_field(report, &arena, "Trap Number", "14");
	report_add_field(report, &arena, "Error Code",
	                 "0x00000004 (no mapping for user data read)");
	assert_holds(report, "  rip: <unavailable>  rfl: 0x0000000000000001"
	                     "  cr2: 0x0000000000000002\n"
	                     "  \n"
	                     "Error Code:      0x00000004 "
	                     "(no mapping for user data read)\n"
	                     "Trap Number:     14\n");
}

static void narrow_registers_have_eight_digits(void **state UNUSED)
{
	static const char *const names[] = { "ip", "sp", "lr", "pc", "cpsr" };
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = add_report(&arena);
	struct report_thread *thread = report->threads[0];

	thread->state.flavor = "ARM Thread State (32-bit)";
	add_registers(thread, &arena, names, ARRAY_SIZE(names));
	assert_holds(report, "    ip: 0x00000000   sp: 0x00000001"
	                     "   lr: 0x00000002   pc: 0x00000003\n"
	                     "  cpsr: 0x00000004\n");
}

static void what_was_thrown_is_said_once(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = add_report(&arena);

	report->thrown.name = "NSRangeException";
	report->thrown.reason = "index 3 beyond bounds";
	assert_holds(report, "\nApplication Specific Information:\n"
	                     "*** Terminating app due to uncaught exception "
	                     "'NSRangeException', reason: 'index 3 beyond "
	                     "bounds'\n\n");
	report_add_section(report, &arena, "Application Specific Information",
	                   "*** Terminating app due to uncaught exception "
	                   "'NSRangeException', reason: 'by itself'");
	assert_lacks(report, "index 3");
	assert_holds(report, "by itself'\n\n");
}

static void other_backtraces_precede_the_threads(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = add_report(&arena);
	struct report_frame *frame;

	frame = report_add_frame(&report->exception_backtrace, &arena);
	frame->address = 32;
	frame = report_add_frame(report_add_app_backtrace(report, &arena),
	                         &arena);
	frame->address = 16;
	assert_holds(report,
	             "\nApplication Specific Backtrace 0:\n"
	             "0   ???                           \t              0x10 "
	             "0x0 + 16\n"
	             "\n"
	             "\nLast Exception Backtrace:\n"
	             "0   ???                           \t              0x20 "
	             "0x0 + 32\n"
	             "\nThread 0 name: ");
}

static void a_report_of_nothing_is_laid_out_too(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };

	assert_text(report_new(&arena),
	            "Version:             ???\n"
	            "\n"
	            "Report Version:      104\n"
	            "\n"
	            "\n"
	            "Triggered by Thread:  Unknown\n"
	            "\n"
	            "Backtrace not available\n"
	            "\n"
	            "Binary Images:\n"
	            "Binary images description not available\n"
	            "\n"
	            "EOF\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_call_is_written_as_apple_writes_it),
		cmocka_unit_test(columns_are_made_where_there_are_none),
		cmocka_unit_test(ios_reports_get_report_version_104),
		cmocka_unit_test(macos_reports_get_report_version_12),
		cmocka_unit_test(
		        a_simulator_has_the_header_of_ios_and_the_body_of_macos),
		cmocka_unit_test(arm_registers_are_four_in_a_row),
		cmocka_unit_test(x86_registers_end_with_the_trap),
		cmocka_unit_test(narrow_registers_have_eight_digits),
		cmocka_unit_test(what_was_thrown_is_said_once),
		cmocka_unit_test(other_backtraces_precede_the_threads),
		cmocka_unit_test(a_report_of_nothing_is_laid_out_too),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
