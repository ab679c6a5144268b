// SPDX-License-Identifier: MIT
/**
 * Reports out of a number: the same seed gives the same report, another seed
 * another one, with what real ones hold. They say nothing that Apple's text or
 * an `.ips` file has no place for (formatters/report/ips/ips.h lists that), so
 * that either format must give back what the other has.
 */
#ifndef APMTOOL_TESTS_UNIT_REPORT_BUILDER_H
#define APMTOOL_TESTS_UNIT_REPORT_BUILDER_H

#include "lib/model/report.h"

#include <inttypes.h>
#include <string.h>

struct report_builder {
	uint64_t state;
	struct arena *arena;
	struct report *report;
	bool macos;
};

/** xorshift64*: small, and good enough to mix cases. */
static uint64_t build_random(struct report_builder *b)
{
	b->state ^= b->state >> 12;
	b->state ^= b->state << 25;
	b->state ^= b->state >> 27;
	return b->state * 0x2545f4914f6cdd1d;
}

static size_t build_below(struct report_builder *b, size_t limit)
{
	return (size_t)(build_random(b) >> 33) % limit;
}

/** True once in @p count times. */
static bool build_chance(struct report_builder *b, size_t count)
{
	return build_below(b, count) == 0;
}

#define BUILD_ONE_OF(b, list) ((list)[build_below((b), ARRAY_SIZE(list))])

static void build_facts(struct report_builder *b)
{
	static const char *const names[] = { "Demo", "Demo App", "微信",
		                             "Demo [beta] 2", "a-b.c_d" };
	static const char *const versions[] = { "1.0", "2.13.1", "5" };
	struct report *report = b->report;
	const char *name = BUILD_ONE_OF(b, names);

	report->process = (struct report_process_ref){
		.name = name,
		.pid = build_below(b, 100000),
		.has_pid = true,
	};
	report->path =
	        arena_printf(b->arena,
	                     b->macos ? "/Applications/%s.app/Contents/MacOS/%s"
	                              : "/private/var/x/%s.app/%s",
	                     name, name);
	report->identifier = build_chance(b, 4) ? name : "com.example.demo";
	if (!build_chance(b, 4)) {
		report->version = BUILD_ONE_OF(b, versions);
		report->build = build_chance(b, 3) ? NULL : "412";
	}
	report->code_type = b->macos && build_chance(b, 2) ? "X86-64"
	                                                   : "ARM-64";
	report->translated = build_chance(b, 5);
	report->parent = (struct report_process_ref){ "launchd", 1, true };
	report->date_time = "2026-01-31 09:08:07.1234 +0800";
	report->reporter_key = "4d1fbb8a7e103d0eb3a26c6e4c339d2c01020304";
	report->bug_type = "309";
}

/** What only one of the two layouts of text has a line for. */
static void build_system(struct report_builder *b)
{
	struct report *report = b->report;

	if (b->macos) {
		report->os_version = "macOS 14.2 (23C64)";
		report->os_build = "23C64";
		report->platform = 1;
		report->user_id = "501";
		report_add_field(report, b->arena,
		                 "System Integrity Protection", "enabled");
		report_add_field(report, b->arena, "Time Awake Since Boot",
		                 "7800 seconds");
		return;
	}
	report->os_version = "iPhone OS 17.2 (21C62)";
	report->os_build = "21C62";
	report->platform = 2;
	report->incident = "9A8B7C6D-0000-4000-8000-000000000001";
	report->hardware_model = "iPhone14,2";
	report->role = build_chance(b, 2) ? "Foreground" : "Background";
	report->coalition = "com.example.demo [512]";
	report->launch_time = "2026-01-31 09:00:00.0001 +0800";
	report->release_type = "User";
	if (build_chance(b, 2))
		report_add_field(report, b->arena, "AppVariant",
		                 "1:iPhone14,2:17");
}

static const char *build_uuid(struct report_builder *b)
{
	return arena_printf(b->arena, "%016" PRIx64 "%016" PRIx64,
	                    build_random(b), build_random(b) | 1);
}

static void build_images(struct report_builder *b)
{
	static const char *const names[] = { "UIKitCore", "libdispatch.dylib",
		                             "dyld", "libswiftCore.dylib",
		                             "Foundation" };
	size_t count = 1 + build_below(b, 5);
	uint64_t base = 0x100000000;

	for (size_t i = 0; i < count; i++) {
		struct report_image *image =
		        report_add_image(b->report, b->arena);
		const char *path =
		        arena_printf(b->arena, "/usr/lib/%s", names[i]);

		image->kind = 'P';
		image->name = i ? names[i] : b->report->process.name;
		image->path = i ? path : b->report->path;
		image->base = base;
		image->size = 0x4000 * (1 + build_below(b, 100));
		if (!b->macos)
			image->arch = "arm64";
		uuid_parse(text_from(build_uuid(b)), &image->uuid);
		base += image->size + 0x4000 * build_below(b, 1000);
	}
}

static void build_call(struct report_builder *b, struct report_call *call)
{
	static const char *const symbols[] = {
		"main",
		"-[DemoApp openFeed:]",
		"__18-[DemoApp refresh]_block_invoke",
		"demo::Feed::decode(demo::Entry const&)",
		"operator+(demo::Point, demo::Point)",
		"closure #1 in View.body.getter (a: b) -> (c)",
		"$s4Demo3runyyF",
		"std::vector<int, std::allocator<int> >::push_back(int&&)",
		"a + b",
	};
	static const char *const files[] = { "main.m", "feed.cpp",
		                             "Feed View.swift",
		                             "<compiler-generated>" };

	call->symbol = BUILD_ONE_OF(b, symbols);
	call->has_symbol_offset = true;
	call->symbol_offset = build_below(b, 5000);
	if (build_chance(b, 2))
		return;
	call->file = BUILD_ONE_OF(b, files);
	call->has_line = true;
	call->line = (uint32_t)build_below(b, 3000);
}

/** Two calls of one address must differ: equal ones are a writer's repeat. */
static void build_calls(struct report_builder *b, struct report_frame *frame)
{
	size_t count = build_chance(b, 3) ? 1 + build_below(b, 4) : 1;

	if (build_chance(b, 3))
		return;
	frame->calls = arena_array(b->arena, count, sizeof(*frame->calls));
	frame->call_count = (uint32_t)count;
	frame->source = REPORT_SOURCE_REPORT;
	for (size_t i = 0; i < count; i++)
		build_call(b, &frame->calls[i]);
}

static void build_stack(struct report_builder *b, struct report_stack *stack,
                        size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct report_frame *frame = report_add_frame(stack, b->arena);
		size_t at = build_below(b, b->report->image_count);
		const struct report_image *image = &b->report->images[at];

		frame->index_width = 4;
		if (image->kind == 'A') {
			// Jumps to nowhere: below all images.
			frame->address = 1 + build_below(b, 0x10000);
			continue;
		}
		frame->image = at;
		// Neighbours differ, or they would be one frame in old texts.
		frame->image_offset =
		        build_below(b, (size_t)image->size / 64) * 64 + i % 64;
		frame->address = image->base + frame->image_offset;
		build_calls(b, frame);
	}
}

static struct report_register *build_register(struct report_builder *b,
                                              struct report_thread_state *state,
                                              const char *name)
{
	struct report_register *reg = report_add_register(state, b->arena);

	reg->name = name;
	reg->value = build_chance(b, 3) ? build_below(b, 100) : build_random(b);
	reg->available = true;
	return reg;
}

static void build_registers(struct report_builder *b,
                            struct report_thread_state *state)
{
	static const char *const arm[] = { "fp",   "lr",  "sp", "pc",
		                           "cpsr", "far", "esr" };
	static const char *const x86[] = {
		"rax", "rbx", "rcx", "rdx", "rdi", "rsi", "rbp",
		"rsp", "r8",  "r9",  "r10", "r11", "r12", "r13",
		"r14", "r15", "rip", "rfl", "cr2",
	};

	if (!strcmp(b->report->code_type, "X86-64")) {
		state->flavor = "X86 Thread State (64-bit)";
		for (size_t i = 0; i < ARRAY_SIZE(x86); i++)
			build_register(b, state, x86[i]);
		report_add_field(b->report, b->arena, "Logical CPU", "2");
		report_add_field(b->report, b->arena, "Error Code",
		                 "0x00000006 (no mapping for user data write)");
		report_add_field(b->report, b->arena, "Trap Number", "14");
		return;
	}
	state->flavor = "ARM Thread State (64-bit)";
	for (size_t i = 0; i < 29; i++)
		build_register(b, state, arena_printf(b->arena, "x%zu", i));
	for (size_t i = 0; i < ARRAY_SIZE(arm); i++)
		build_register(b, state, arm[i]);
	// Eight digits are printed of these two.
	for (size_t i = state->count - 3; i < state->count; i += 2)
		state->registers[i].value &= UINT32_MAX;
	state->registers[state->count - 1].note =
	        "(Data Abort) byte read Translation fault";
}

static void build_threads(struct report_builder *b)
{
	static const char *const names[] = { NULL, "worker", "com.example.net",
		                             "рабочий 1" };
	static const char *const queues[] = { NULL, "com.apple.main-thread",
		                              "io queue" };
	struct report *report = b->report;
	size_t count = 1 + build_below(b, 6);
	size_t crashed = build_below(b, count);

	for (size_t i = 0; i < count; i++) {
		struct report_thread *thread =
		        report_add_thread(report, b->arena);

		thread->number = i;
		thread->name = BUILD_ONE_OF(b, names);
		thread->queue = BUILD_ONE_OF(b, queues);
		thread->crashed = i == crashed;
		build_stack(b, &thread->stack, build_below(b, 20));
		if (thread->crashed)
			build_registers(b, &thread->state);
	}
	report->has_triggered_thread = true;
	report->triggered_thread = crashed;
}

static void build_exception(struct report_builder *b)
{
	struct report *report = b->report;

	report->exception = (struct report_exception){
		.type = "EXC_BAD_ACCESS",
		.signal = "SIGSEGV",
		.codes = "0x0000000000000001, 0x0000000000000010",
	};
	if (build_chance(b, 2))
		report->exception.subtype =
		        "KERN_INVALID_ADDRESS at 0x0000000000000010";
	if (build_chance(b, 3))
		report->exception.note = "EXC_CORPSE_NOTIFY";
	if (!build_chance(b, 4))
		report->termination = (struct report_termination){
			.namespace_name = "SIGNAL",
			.code = 11,
			.has_code = true,
			.indicator = "Segmentation fault: 11",
			.by = { "exc handler", 612, true },
		};
	if (build_chance(b, 3))
		report_add_section(report, b->arena, "Kernel Triage",
		                   "VM - one\nVM - two");
	if (!build_chance(b, 3))
		return;
	report_add_section(report, b->arena, "Application Specific Information",
	                   "*** Terminating app due to uncaught exception "
	                   "'NSRangeException', reason: 'it's 3 [0 .. 2]'\n"
	                   "abort() called");
	report->thrown.name = "NSRangeException";
	report->thrown.reason = "it's 3 [0 .. 2]";
	report->thrown.kind = "objc-exception";
	report->exception_backtrace.all_return_addresses = true;
	build_stack(b, &report->exception_backtrace, 1 + build_below(b, 10));
	if (build_chance(b, 2))
		build_stack(b, report_add_app_backtrace(report, b->arena),
		            1 + build_below(b, 5));
}

/** A report of @p seed, in @p arena. */
static UNUSED struct report *report_build(struct arena *arena, uint64_t seed)
{
	struct report_builder b = {
		.state = seed * 0x9e3779b97f4a7c15 + 1,
		.arena = arena,
		.report = report_new(arena),
	};

	b.report->format = "built";
	b.macos = build_chance(&b, 2);
	build_facts(&b);
	build_system(&b);
	build_images(&b);
	if (build_chance(&b, 3)) {
		report_add_image(b.report, arena)->kind = 'A';
	}
	build_threads(&b);
	build_exception(&b);
	return b.report;
}

#endif
