// SPDX-License-Identifier: MIT
/* Facts of a PLCrashReporter report: app, device, time and cause. */
#include "parsers/plcrash/plcrash.h"

#include "lib/base/timestamp.h"
#include "lib/base/utf8.h"
#include "lib/darwin/cpu.h"
#include "lib/darwin/exceptions.h"
#include "lib/darwin/platforms.h"
#include "lib/darwin/registers.h"

#include <inttypes.h>
#include <string.h>

#define ENCODING_MACH 1
// The year 10000: later is invalid.
#define TIME_LIMIT UINT64_C(253402300800)

#define UUID_BYTES 16

/** The systems by PLCrashReporter's number. */
static const struct {
	const char *name;
	enum darwin_platform platform;
} systems[] = {
	{ "macOS", DARWIN_PLATFORM_MACOS },
	{ "iPhone OS", DARWIN_PLATFORM_IOS },
	{ "iOS Simulator", DARWIN_PLATFORM_IOS_SIMULATOR },
	{ NULL, DARWIN_PLATFORM_UNKNOWN },
	{ "Apple TVOS", DARWIN_PLATFORM_TVOS },
};

static const char *time_text(struct plcrash_number seconds, struct arena *arena)
{
	if (!seconds.found || !seconds.value || seconds.value >= TIME_LIMIT)
		return NULL;
	return arena_printf(arena, "%s +0000",
	                    timestamp_utc((int64_t)seconds.value, ' ').text);
}

/** Until version 10.11, Apple's reports call the system by its old name. */
static const char *system_name(const struct plcrash_facts *facts, int *platform)
{
	struct plcrash_number number = facts->system.operating_system;
	const char *version = facts->system.version;

	if (!number.found || number.value >= ARRAY_SIZE(systems))
		return NULL;
	*platform = (int)systems[number.value].platform;
	if (*platform == DARWIN_PLATFORM_MACOS && version &&
	    text_starts(text_from(version), "10."))
		return "Mac OS X";
	return systems[number.value].name;
}

static void use_system(const struct plcrash_facts *facts, struct report *report,
                       struct arena *arena)
{
	const char *name = system_name(facts, &report->platform);
	const char *version = facts->system.version;
	const char *build = facts->system.build;

	report->os_build = build;
	if (name || version)
		report->os_version =
		        arena_printf(arena, "%s%s%s%s%s%s", name ? name : "",
		                     name && version ? " " : "",
		                     version ? version : "", build ? " (" : "",
		                     build ? build : "", build ? ")" : "");
	report->date_time = time_text(facts->system.timestamp, arena);
	report->launch_time = time_text(facts->process.start_time, arena);
}

/** An app on a device may not read the name of its parent. */
static const char *unless_empty(const char *text)
{
	return text && *text ? text : NULL;
}

static struct report_process_ref process_ref(const char *name,
                                             struct plcrash_number id)
{
	return (struct report_process_ref){
		.name = unless_empty(name),
		.pid = id.value,
		.has_pid = id.found,
	};
}

static void use_process(const struct plcrash_facts *facts,
                        struct report *report)
{
	report->process = process_ref(facts->process.name, facts->process.id);
	report->parent = process_ref(facts->process.parent_name,
	                             facts->process.parent_id);
	report->path = unless_empty(facts->process.path);
	report->translated = facts->process.native.found &&
	                     !facts->process.native.value;
	report->identifier = unless_empty(facts->app.identifier);
	report->hardware_model = unless_empty(facts->machine.model);
	// Early versions had one number without a name.
	report->version = unless_empty(facts->app.marketing);
	if (report->version)
		report->build = unless_empty(facts->app.version);
	else
		report->version = unless_empty(facts->app.version);
}

/**
 * Processor type of the process; 0 if unknown. The app's image takes precedence
 * over the machine: an Intel Mac always calls itself i386. The oldest reports
 * have an enumeration of their own.
 */
static uint64_t cpu_type(const struct plcrash_facts *facts,
                         const struct plcrash_reader *reader)
{
	static const uint64_t types[] = {
		DARWIN_CPU_X86,     DARWIN_CPU_X86_64,    DARWIN_CPU_ARM,
		DARWIN_CPU_POWERPC, DARWIN_CPU_POWERPC64, DARWIN_CPU_ARM,
	};
	struct plcrash_number old = facts->system.architecture;

	if (reader->main_cpu_type)
		return reader->main_cpu_type;
	if (plcrash_cpu_arch(&facts->machine.processor))
		return facts->machine.processor.type.value;
	return old.found && old.value < ARRAY_SIZE(types) ? types[old.value]
	                                                  : 0;
}

/** The name of the register differs from the one in Apple's reports. */
static void rename_ip(struct report_thread_state *state)
{
	for (size_t i = 0; i < state->count; i++)
		if (!strcmp(state->registers[i].name, "r12"))
			state->registers[i].name = "ip";
}

static void use_cpu(const struct plcrash_facts *facts,
                    const struct plcrash_reader *reader)
{
	struct report *report = reader->notes.report;
	uint64_t type = cpu_type(facts, reader);
	const struct darwin_thread_state *kind =
	        darwin_thread_state_of_cpu(type);

	report->code_type = darwin_code_type(type);
	for (size_t i = 0; i < report->thread_count; i++) {
		struct report_thread_state *state = &report->threads[i]->state;

		if (state->count)
			state->flavor = kind ? kind->title : "Thread State";
		if (type == DARWIN_CPU_ARM)
			rename_ip(state);
	}
}

/** `SEGV_MAPERR at 0x10`, as in the text format. */
static const char *signal_code(const struct plcrash_facts *facts,
                               struct arena *arena)
{
	const char *code = unless_empty(facts->signal.code);

	if (!code || !facts->signal.address.found)
		return code;
	return arena_printf(arena, "%s at 0x%" PRIx64, code,
	                    facts->signal.address.value);
}

/** The Mach exception has more detail than its signal. */
static void use_mach_exception(const struct plcrash_facts *facts,
                               const struct plcrash_message *message)
{
	struct report *report = message->reader->notes.report;
	struct report_exception *exception = &report->exception;
	struct arena *arena = message->reader->notes.arena;
	const struct plcrash_numbers *codes = &facts->signal.mach_codes;
	uint64_t type = facts->signal.mach_type.value;
	struct darwin_exception_code code;

	exception->type = darwin_exception_name(type);
	if (!exception->type) {
		exception->type = arena_printf(arena, "%" PRIu64, type);
		json_place_note(&message->place, "signal.mach_exception.type",
		                "an exception without a name: %" PRIu64, type);
	}
	if (codes->count < 2)
		return;
	// The signal's code gets a line of its own, to keep it.
	if (exception->codes)
		report_add_field(report, arena, "Signal Code",
		                 exception->codes);
	exception->codes = arena_printf(arena,
	                                "0x%016" PRIx64 ", 0x%016" PRIx64,
	                                codes->values[0], codes->values[1]);
	code = darwin_exception_code(report->code_type, type, codes->values[0]);
	if (code.name)
		exception->subtype =
		        code.has_address
		                ? arena_printf(arena, "%s at 0x%016" PRIx64,
		                               code.name, codes->values[1])
		                : code.name;
}

static void use_exception(const struct plcrash_facts *facts,
                          const struct plcrash_message *message)
{
	struct report *report = message->reader->notes.report;

	report->exception.signal = unless_empty(facts->signal.name);
	report->exception.codes =
	        signal_code(facts, message->reader->notes.arena);
	if (facts->signal.mach_type.found)
		use_mach_exception(facts, message);
	// A snapshot requested by the app; its signal is not real.
	if (!facts->user_requested.value)
		return;
	report->exception.note = "LIVE REPORT (this is NOT a crash)";
	report->is_live = true;
}

static void use_incident(const struct plcrash_facts *facts,
                         const struct plcrash_message *message)
{
	char text[UUID_TEXT_SIZE];
	struct uuid uuid;

	if (facts->uuid.size == UUID_BYTES) {
		memcpy(uuid.bytes, facts->uuid.data, UUID_BYTES);
		message->reader->notes.report->incident = arena_strdup(
		        message->reader->notes.arena, uuid_format(&uuid, text));
	} else if (facts->uuid.size) {
		json_place_note(&message->place, "report_info.uuid",
		                "expected 16 bytes, found %zu",
		                facts->uuid.size);
	}
}

/** Is it text without control characters? */
static bool is_plain_text(struct text text)
{
	size_t step;

	for (size_t at = 0; at < text.size; at += step) {
		uint32_t c = 0;

		step = utf8_decode(text, at, &c);
		if (!step || (utf8_is_hidden(c) && c != '\n'))
			return false;
	}
	return true;
}

/** Some apps add text, some a message of their own. */
static void use_custom_data(const struct plcrash_facts *facts,
                            const struct plcrash_message *message)
{
	struct text text = bytes_text(facts->custom_data);
	struct plcrash_reader *reader = message->reader;

	if (!text.size)
		return;
	if (is_plain_text(text))
		report_add_section(reader->notes.report, reader->notes.arena,
		                   "Custom Data",
		                   arena_text(reader->notes.arena, text));
	else
		json_place_note(&message->place, "custom_data",
		                "%zu bytes that are not text; left out",
		                text.size);
}

void plcrash_use_facts(const struct plcrash_facts *facts,
                       const struct plcrash_message *message)
{
	struct report *report = message->reader->notes.report;

	use_incident(facts, message);
	use_system(facts, report, message->reader->notes.arena);
	use_process(facts, report);
	use_cpu(facts, message->reader);
	use_exception(facts, message);
	use_custom_data(facts, message);
}

void plcrash_read_cpu(struct plcrash_message *message, struct plcrash_cpu *cpu)
{
	static const struct plcrash_field fields[] = {
		PLCRASH_FIELD(1, "encoding", PLCRASH_NUMBER, struct plcrash_cpu,
		              encoding),
		PLCRASH_FIELD(2, "type", PLCRASH_NUMBER, struct plcrash_cpu,
		              type),
		PLCRASH_FIELD(3, "subtype", PLCRASH_NUMBER, struct plcrash_cpu,
		              subtype),
	};

	plcrash_read(message, fields, ARRAY_SIZE(fields), cpu);
}

const char *plcrash_cpu_arch(const struct plcrash_cpu *cpu)
{
	if (!cpu->type.found || cpu->encoding.value != ENCODING_MACH)
		return NULL;
	return darwin_arch_name(cpu->type.value, cpu->subtype.value);
}
