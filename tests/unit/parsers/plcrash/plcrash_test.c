// SPDX-License-Identifier: MIT
#include "lib/base/file.h"
#include "lib/base/limit.h"
#include "parsers/reader.h"
#include "tests/unit/parsers/plcrash/protobuf_builder.h"
#include "tests/unit/read_reports.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/** What is done to one field of the message that is built. */
enum damage { KEEP, REMOVE, SWAP };

/** A message under construction, whose fields are counted. */
struct forge {
	struct str out;
	size_t count;  ///< fields so far
	size_t target; ///< the field that is damaged
	enum damage damage;
	const char *path; ///< of that field, once it was there
};

static bool is_target(struct forge *f, const char *path)
{
	if (f->count++ != f->target)
		return false;
	f->path = path;
	return true;
}

static void number(struct forge *f, struct str *out, uint64_t field,
                   uint64_t value, const char *path)
{
	bool target = is_target(f, path);

	if (!target || f->damage == KEEP)
		put_number(out, field, value);
	else if (f->damage == SWAP)
		put_text(out, field, "text");
}

static void bytes(struct forge *f, struct str *out, uint64_t field,
                  const void *data, size_t size, const char *path)
{
	bool target = is_target(f, path);

	if (!target || f->damage == KEEP)
		put_bytes(out, field, data, size);
	else if (f->damage == SWAP)
		put_number(out, field, 1);
}

static void text(struct forge *f, struct str *out, uint64_t field,
                 const char *value, const char *path)
{
	bytes(f, out, field, value, strlen(value), path);
}

/** Put @p inner into @p out, and empty it. */
static void message(struct forge *f, struct str *out, uint64_t field,
                    struct str *inner, const char *path)
{
	bytes(f, out, field, str_cstr(inner), inner->size, path);
	str_clear(inner);
}

static void put_facts(struct forge *f, struct str *m)
{
	number(f, m, 1, 0, "report_info.user_requested");
	bytes(f, m, 2, "0123456789abcdef", 16, "report_info.uuid");
	message(f, &f->out, 9, m, "report_info");
	number(f, m, 1, 1, "system_info.operating_system");
	text(f, m, 2, "17.2", "system_info.os_version");
	text(f, m, 5, "21C62", "system_info.os_build");
	number(f, m, 3, 6, "system_info.architecture");
	number(f, m, 4, 1769821687, "system_info.timestamp");
	message(f, &f->out, 1, m, "system_info");
	text(f, m, 1, "com.example.demo", "application_info.identifier");
	text(f, m, 2, "210", "application_info.version");
	text(f, m, 3, "2.1", "application_info.marketing_version");
	message(f, &f->out, 2, m, "application_info");
	text(f, m, 1, "Demo", "process_info.process_name");
	number(f, m, 2, 612, "process_info.process_id");
	text(f, m, 3, "/Demo.app/Demo", "process_info.process_path");
	text(f, m, 4, "launchd", "process_info.parent_process_name");
	number(f, m, 5, 1, "process_info.parent_process_id");
	number(f, m, 6, 1, "process_info.native");
	number(f, m, 7, 1769821678, "process_info.start_time");
	message(f, &f->out, 7, m, "process_info");
}

static void put_cpu(struct forge *f, struct str *m, const char *encoding,
                    const char *type, const char *subtype)
{
	number(f, m, 1, 1, encoding);
	number(f, m, 2, 0x0100000c, type);
	number(f, m, 3, 0, subtype);
}

static void put_machine(struct forge *f, struct str *m)
{
	SCOPED(str_release) struct str cpu = { 0 };

	text(f, m, 1, "iPhone14,2", "machine_info.model");
	put_cpu(f, &cpu, "machine_info.processor.encoding",
	        "machine_info.processor.type",
	        "machine_info.processor.subtype");
	message(f, m, 2, &cpu, "machine_info.processor");
	message(f, &f->out, 8, m, "machine_info");
}

static void put_thread(struct forge *f, struct str *m)
{
	SCOPED(str_release) struct str inner = { 0 };
	SCOPED(str_release) struct str symbol = { 0 };

	number(f, m, 1, 3, "threads[0].thread_number");
	number(f, m, 3, 1, "threads[0].crashed");
	text(f, &inner, 1, "pc", "threads[0].registers[0].name");
	number(f, &inner, 2, 0x1010, "threads[0].registers[0].value");
	message(f, m, 4, &inner, "threads[0].registers");
	number(f, &inner, 3, 0x1010, "threads[0].frames[0].pc");
	text(f, &symbol, 1, "_main", "threads[0].frames[0].symbol.name");
	number(f, &symbol, 2, 0x1000,
	       "threads[0].frames[0].symbol.start_address");
	message(f, &inner, 6, &symbol, "threads[0].frames[0].symbol");
	message(f, m, 2, &inner, "threads[0].frames");
	message(f, &f->out, 3, m, "threads");
}

static void put_image(struct forge *f, struct str *m)
{
	SCOPED(str_release) struct str cpu = { 0 };

	number(f, m, 1, 0x1000, "binary_images[0].base_address");
	number(f, m, 2, 0x1000, "binary_images[0].size");
	text(f, m, 3, "/Demo.app/Demo", "binary_images[0].name");
	bytes(f, m, 4, "ABCDEFGHIJKLMNOP", 16, "binary_images[0].uuid");
	put_cpu(f, &cpu, "binary_images[0].code_type.encoding",
	        "binary_images[0].code_type.type",
	        "binary_images[0].code_type.subtype");
	message(f, m, 5, &cpu, "binary_images[0].code_type");
	message(f, &f->out, 4, m, "binary_images");
}

static void put_exception(struct forge *f, struct str *m)
{
	SCOPED(str_release) struct str inner = { 0 };

	text(f, m, 1, "NSRangeException", "exception.name");
	text(f, m, 2, "index 7", "exception.reason");
	number(f, &inner, 3, 0x1020, "exception.frames[0].pc");
	message(f, m, 3, &inner, "exception.frames");
	message(f, &f->out, 5, m, "exception");
	text(f, m, 1, "SIGSEGV", "signal.name");
	text(f, m, 2, "SEGV_MAPERR", "signal.code");
	number(f, m, 3, 0x10, "signal.address");
	number(f, &inner, 1, 1, "signal.mach_exception.type");
	put_number(&inner, 2, 1);
	put_number(&inner, 2, 0x10);
	message(f, m, 4, &inner, "signal.mach_exception");
	message(f, &f->out, 6, m, "signal");
}

/** A whole report, but for what is done to one field. */
static struct forge forge(size_t target, enum damage damage)
{
	struct forge f = { .target = target, .damage = damage };
	SCOPED(str_release) struct str m = { 0 };

	str_add(&f.out, "plcrash\x01");
	put_facts(&f, &m);
	put_machine(&f, &m);
	put_thread(&f, &m);
	put_image(&f, &m);
	put_exception(&f, &m);
	bytes(&f, &f.out, 10, "seen: first\nrun: 7", 18, "custom_data");
	return f;
}

static size_t field_count(void)
{
	struct forge f = forge(SIZE_MAX, KEEP);

	str_release(&f.out);
	return f.count;
}

static struct report *read_bytes(struct bytes in, struct arena *arena)
{
	struct report *report = NULL;
	struct error *err = read_reports(in, arena, &report);

	if (err)
		fail_msg("%s", error_message(err));
	return report;
}

static void every_field_finds_its_place(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct forge f = forge(SIZE_MAX, KEEP);
	struct report *r = read_bytes(built(&f.out), &arena);
	const struct report_frame *frame = &r->threads[0]->stack.frames[0];
	char uuid[UUID_TEXT_SIZE];

	assert_string_equal(r->format, "plcrash");
	assert_string_equal(r->incident,
	                    "30313233-3435-3637-3839-616263646566");
	assert_string_equal(r->os_version, "iPhone OS 17.2 (21C62)");
	assert_string_equal(r->os_build, "21C62");
	assert_int_equal(r->platform, 2);
	assert_string_equal(r->date_time, "2026-01-31 01:08:07 +0000");
	assert_string_equal(r->launch_time, "2026-01-31 01:07:58 +0000");
	assert_string_equal(r->identifier, "com.example.demo");
	assert_string_equal(r->version, "2.1");
	assert_string_equal(r->build, "210");
	assert_string_equal(r->process.name, "Demo");
	assert_int_equal(r->process.pid, 612);
	assert_string_equal(r->parent.name, "launchd");
	assert_int_equal(r->parent.pid, 1);
	assert_false(r->translated);
	assert_string_equal(r->hardware_model, "iPhone14,2");
	assert_string_equal(r->code_type, "ARM-64");
	assert_string_equal(r->exception.type, "EXC_BAD_ACCESS");
	assert_string_equal(r->exception.signal, "SIGSEGV");
	assert_string_equal(r->exception.subtype,
	                    "KERN_INVALID_ADDRESS at 0x0000000000000010");
	assert_string_equal(r->exception.codes,
	                    "0x0000000000000001, 0x0000000000000010");
	assert_null(r->exception.note);
	assert_string_equal(r->fields[0].label, "Signal Code");
	assert_string_equal(r->fields[0].value, "SEGV_MAPERR at 0x10");
	assert_string_equal(r->thrown.name, "NSRangeException");
	assert_string_equal(r->thrown.reason, "index 7");
	assert_int_equal(r->exception_backtrace.frames[0].address, 0x1020);
	assert_true(r->has_triggered_thread);
	assert_int_equal(r->triggered_thread, 3);
	assert_true(r->threads[0]->crashed);
	assert_string_equal(r->threads[0]->state.flavor,
	                    "ARM Thread State (64-bit)");
	assert_string_equal(r->threads[0]->state.registers[0].name, "pc");
	assert_int_equal(r->threads[0]->state.registers[0].value, 0x1010);
	assert_int_equal(frame->image, 0);
	assert_int_equal(frame->image_offset, 0x10);
	assert_int_equal(frame->source, REPORT_SOURCE_REPORT);
	assert_string_equal(frame->calls[0].symbol, "main");
	assert_int_equal(frame->calls[0].symbol_offset, 0x10);
	assert_string_equal(r->images[0].name, "Demo");
	assert_string_equal(r->images[0].arch, "arm64");
	assert_string_equal(uuid_format(&r->images[0].uuid, uuid),
	                    "41424344-4546-4748-494A-4B4C4D4E4F50");
	assert_string_equal(report_section(r, "Custom Data"),
	                    "seen: first\nrun: 7");
	assert_int_equal(r->note_count, 0);
	assert_false(r->truncated);
	str_release(&f.out);
}

static const struct notice *find_note(const struct report *report,
                                      const char *place)
{
	for (size_t i = 0; i < report->note_count; i++)
		if (!strcmp(report->notes[i].place, place))
			return &report->notes[i];
	return NULL;
}

static void any_field_may_be_missing(void **state UNUSED)
{
	size_t count = field_count();

	assert_true(count > 50);
	for (size_t i = 0; i < count; i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		struct forge f = forge(i, REMOVE);
		struct report *report = read_bytes(built(&f.out), &arena);

		if (report->note_count &&
		    !find_note(report, "threads[0].frames[0].pc") &&
		    !find_note(report, "exception.frames[0].pc") &&
		    !find_note(report, "binary_images[0].base_address"))
			fail_msg("without %s: %s: %s", f.path,
			         report->notes[0].place, report->notes[0].text);
		str_release(&f.out);
	}
}

static void fields_of_the_wrong_type_are_notes_with_their_path(
        void **state UNUSED)
{
	size_t count = field_count();

	for (size_t i = 0; i < count; i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		struct forge f = forge(i, SWAP);
		struct report *report = read_bytes(built(&f.out), &arena);
		const struct notice *note = find_note(report, f.path);

		if (!note)
			fail_msg("no note for %s", f.path);
		else if (strcmp(note->text, "expected a number, found bytes") &&
		         strcmp(note->text, "expected bytes, found a number"))
			fail_msg("%s: %s", f.path, note->text);
		str_release(&f.out);
	}
}

static void a_report_truncated_anywhere_keeps_what_was_complete(
        void **state UNUSED)
{
	SCOPED(file_release) struct file_data file = { 0 };
	size_t frames = 0;
	size_t whole = 0;

	assert_null(file_read(APMTOOL_SOURCE_DIR "/samples/demo.plcrash",
	                      LIMIT_DEFAULT_REPORT, &file));
	for (size_t size = 8; size <= file.bytes.size; size++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		SCOPED(error_drop) struct error *err = NULL;
		struct report *report = NULL;
		size_t count = 0;

		err = read_reports(bytes_part(file.bytes, 0, size), &arena,
		                   &report);
		if (err) {
			assert_string_equal(error_message(err),
			                    "an empty PLCrashReporter report");
			assert_true(size < 40);
			continue;
		}
		for (size_t i = 0; i < report->thread_count; i++)
			count += report->threads[i]->stack.count;
		assert_true(count >= frames);
		frames = count;
		// It can end between two fields: nothing shows that then.
		whole += !report->truncated;
		if (report->truncated)
			assert_string_equal(
			        find_note(report, "report")->text,
			        "the report is truncated: everything complete "
			        "was kept");
		else
			assert_int_equal(report->note_count, 0);
	}
	assert_int_equal(frames, 40);
	// The outermost fields of the sample, but for one that says nothing.
	assert_int_equal(whole, 22);
}

/** A report of one message in field @p number. */
static struct report *read_one(uint64_t field, struct str *inner,
                               struct arena *arena)
{
	SCOPED(str_release) struct str out = { 0 };
	struct report *report;

	str_add(&out, "plcrash\x01");
	put_message(&out, field, inner);
	// Without any fact there is no report.
	put_text(inner, 1, "Demo");
	put_message(&out, 7, inner);
	report = read_bytes(built(&out), arena);
	return report;
}

static void a_live_report_is_no_crash(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	SCOPED(str_release) struct str inner = { 0 };

	put_number(&inner, 1, 1);
	assert_string_equal(read_one(9, &inner, &arena)->exception.note,
	                    "LIVE REPORT (this is NOT a crash)");
}

static void without_a_mach_exception_the_signal_decides(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	SCOPED(str_release) struct str inner = { 0 };
	struct report *report;

	put_text(&inner, 1, "SIGABRT");
	put_text(&inner, 2, "#0");
	put_number(&inner, 3, 0x9c54572);
	report = read_one(6, &inner, &arena);
	assert_null(report->exception.type);
	assert_string_equal(report->exception.signal, "SIGABRT");
	assert_string_equal(report->exception.codes, "#0 at 0x9c54572");
	assert_int_equal(report->field_count, 0);
}

static void codes_are_read_packed_too(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	SCOPED(str_release) struct str mach = { 0 };
	SCOPED(str_release) struct str inner = { 0 };
	struct report *report;

	put_number(&mach, 1, 6);
	put_bytes(&mach, 2, "\1\x80\1\7", 4);
	put_message(&inner, 4, &mach);
	report = read_one(6, &inner, &arena);
	assert_string_equal(report->exception.type, "EXC_BREAKPOINT");
	assert_null(report->exception.subtype);
	assert_string_equal(report->exception.codes,
	                    "0x0000000000000001, 0x0000000000000080");
}

static void a_code_is_named_for_the_processor(void **state UNUSED)
{
	static const struct {
		uint64_t cpu_type;
		const char *subtype;
	} cases[] = {
		{ 0x01000007, "EXC_I386_GPFLT" },
		{ 0x0100000c, "KERN_NAME_EXISTS at 0x0000000000000000" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		SCOPED(str_release) struct str all = { 0 };
		SCOPED(str_release) struct str m = { 0 };
		SCOPED(str_release) struct str inner = { 0 };

		str_add(&all, "plcrash\x01");
		put_number(&inner, 1, 1);
		put_number(&inner, 2, cases[i].cpu_type);
		put_message(&m, 2, &inner);
		put_message(&all, 8, &m);
		put_number(&inner, 1, 1);
		put_bytes(&inner, 2, "\x0d\0", 2);
		put_message(&m, 4, &inner);
		put_message(&all, 6, &m);
		// Without any fact there is no report.
		put_text(&m, 1, "Demo");
		put_message(&all, 7, &m);
		assert_string_equal(
		        read_bytes(built(&all), &arena)->exception.subtype,
		        cases[i].subtype);
	}
}

static void systems_have_the_names_of_their_time(void **state UNUSED)
{
	static const struct {
		uint64_t number;
		const char *version;
		const char *name;
		int platform;
	} cases[] = {
		{ 0, "10.11.6", "Mac OS X 10.11.6", 1 },
		{ 0, "12.1", "macOS 12.1", 1 },
		{ 1, "9.3.5", "iPhone OS 9.3.5", 2 },
		{ 2, "9.3", "iOS Simulator 9.3", 7 },
		{ 3, "1.0", "1.0", 0 },
		{ 4, "15.0", "Apple TVOS 15.0", 3 },
		{ 99, "1.0", "1.0", 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		SCOPED(str_release) struct str inner = { 0 };
		struct report *report;

		put_number(&inner, 1, cases[i].number);
		put_text(&inner, 2, cases[i].version);
		report = read_one(1, &inner, &arena);
		assert_string_equal(report->os_version, cases[i].name);
		assert_int_equal(report->platform, cases[i].platform);
	}
}

static void the_oldest_reports_name_their_processor(void **state UNUSED)
{
	static const char *const expected[] = { "X86", "X86-64", "ARM",
		                                "PPC", "PPC-64", "ARM",
		                                NULL };

	for (size_t i = 0; i < ARRAY_SIZE(expected); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		SCOPED(str_release) struct str inner = { 0 };
		struct report *report;

		put_number(&inner, 3, i);
		report = read_one(1, &inner, &arena);
		if (expected[i])
			assert_string_equal(report->code_type, expected[i]);
		else
			assert_null(report->code_type);
	}
}

static void a_uuid_has_16_bytes_or_is_none(void **state UNUSED)
{
	for (size_t size = 0; size <= 20; size++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		SCOPED(str_release) struct str inner = { 0 };
		const struct notice *note;
		struct report *report;

		put_number(&inner, 1, 0x1000);
		put_bytes(&inner, 4, "abcdefghijklmnopqrst", size);
		report = read_one(4, &inner, &arena);
		note = find_note(report, "binary_images[0].uuid");
		assert_int_equal(uuid_is_zero(&report->images[0].uuid),
		                 size != 16);
		assert_int_equal(!note, size == 16 || size == 0);
		if (size == 3)
			assert_string_equal(note->text,
			                    "expected 16 bytes, found 3");
	}
}

static void a_field_longer_than_its_message_is_noted(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	SCOPED(str_release) struct str inner = { 0 };
	struct report *report;

	put_number(&inner, 1, 7);
	str_add(&inner, "\x12\x7f"
	                "abc");
	report = read_one(3, &inner, &arena);
	assert_string_equal(report->notes[0].place, "threads[0]");
	assert_string_equal(report->notes[0].text,
	                    "a field extends beyond its message");
	assert_int_equal(report->threads[0]->number, 7);
	// It was the only frame.
	assert_true(report->truncated);
	assert_string_equal(find_note(report, "whole text")->text,
	                    "the text shows 1 frame, but none could be read");
}

static void a_group_ends_its_message(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	SCOPED(str_release) struct str inner = { 0 };
	struct report *report;

	put_number(&inner, 1, 7);
	put_key(&inner, 20, 3);
	put_number(&inner, 3, 1);
	report = read_one(3, &inner, &arena);
	assert_string_equal(report->notes[0].place, "threads[0]");
	assert_string_equal(report->notes[0].text,
	                    "offset 0xc: a field of an unknown type; the rest "
	                    "is left out");
	assert_false(report->threads[0]->crashed);
	// What follows outside of it is read.
	assert_string_equal(report->process.name, "Demo");
}

static void deep_stacks_keep_both_ends(void **state UNUSED)
{
	static const size_t counts[] = { 100000, 100001 };

	for (size_t i = 0; i < ARRAY_SIZE(counts); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		SCOPED(str_release) struct str inner = { 0 };
		SCOPED(str_release) struct str frame = { 0 };
		const struct report_stack *stack;
		struct report *report;

		for (size_t k = 0; k < counts[i]; k++) {
			put_number(&frame, 3, k);
			put_message(&inner, 2, &frame);
		}
		report = read_one(3, &inner, &arena);
		stack = &report->threads[0]->stack;
		assert_int_equal(stack->count, i ? 1024 : 100000);
		assert_int_equal(stack->frames[511].address, 511);
		assert_int_equal(stack->frames[stack->count - 1].address,
		                 counts[i] - 1);
		assert_int_equal(report->note_count, i);
		if (i)
			assert_string_equal(
			        report->notes[0].text,
			        "there are 100001; only the first "
			        "and the last 512 are read (--limit "
			        "frames=COUNT raises it)");
	}
}

static void a_thread_has_so_many_registers_at_most(void **state UNUSED)
{
	for (size_t count = 256; count <= 257; count++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		SCOPED(str_release) struct str inner = { 0 };
		struct report *report;

		for (size_t k = 0; k < count; k++)
			str_add_bytes(&inner, "\x22\5\x0a\1x\x10\1", 7);
		report = read_one(3, &inner, &arena);
		assert_int_equal(report->threads[0]->state.count, 256);
	}
}

static void all_frames_together_have_a_limit(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	SCOPED(str_release) struct str inner = { 0 };
	SCOPED(str_release) struct str out = { 0 };
	struct report *report;
	size_t count = 0;

	for (size_t k = 0; k < 100000; k++)
		str_add_bytes(&inner, "\x12\2\x18\1", 4);
	str_add(&out, "plcrash\x01");
	for (size_t i = 0; i < 11; i++)
		put_bytes(&out, 3, inner.data, inner.size);
	report = read_bytes(built(&out), &arena);
	for (size_t i = 0; i < report->thread_count; i++)
		count += report->threads[i]->stack.count;
	assert_int_equal(report->thread_count, 11);
	assert_int_equal(count, LIMIT_DEFAULT_LINES);
	assert_true(report->truncated);
	assert_int_equal(report->note_count, 1);
	assert_string_equal(report->notes[0].place, "threads[7].frames[0]");
	assert_string_equal(
	        report->notes[0].text,
	        "more than 700000 lines or frames in the file: the rest is "
	        "left out (--limit lines=COUNT raises it)");
}

static void custom_data_that_is_no_text_is_left_out(void **state UNUSED)
{
	static const struct {
		const char *data;
		bool is_text;
	} cases[] = {
		{ "plain\ntext", true },   { "\xe5\xbe\xae", true },
		{ "\x1b[31mred", false },  { "\xff\xfe", false },
		{ "cut \xe5\xbe", false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		SCOPED(str_release) struct str inner = { 0 };
		struct report *report;

		str_add(&inner, cases[i].data);
		report = read_one(10, &inner, &arena);
		assert_int_equal(report_section(report, "Custom Data") != NULL,
		                 cases[i].is_text);
		assert_int_equal(report->note_count, !cases[i].is_text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_field_finds_its_place),
		cmocka_unit_test(any_field_may_be_missing),
		cmocka_unit_test(
		        fields_of_the_wrong_type_are_notes_with_their_path),
		cmocka_unit_test(
		        a_report_truncated_anywhere_keeps_what_was_complete),
		cmocka_unit_test(a_live_report_is_no_crash),
		cmocka_unit_test(without_a_mach_exception_the_signal_decides),
		cmocka_unit_test(codes_are_read_packed_too),
		cmocka_unit_test(a_code_is_named_for_the_processor),
		cmocka_unit_test(systems_have_the_names_of_their_time),
		cmocka_unit_test(the_oldest_reports_name_their_processor),
		cmocka_unit_test(a_uuid_has_16_bytes_or_is_none),
		cmocka_unit_test(a_field_longer_than_its_message_is_noted),
		cmocka_unit_test(a_group_ends_its_message),
		cmocka_unit_test(deep_stacks_keep_both_ends),
		cmocka_unit_test(a_thread_has_so_many_registers_at_most),
		cmocka_unit_test(all_frames_together_have_a_limit),
		cmocka_unit_test(custom_data_that_is_no_text_is_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
