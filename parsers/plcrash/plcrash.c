// SPDX-License-Identifier: MIT
/*
 * PLCrashReporter's binary format (apmtool-formats(5)): eight bytes, then a
 * Protocol Buffers message. parsers/crash_text/crash_text.c reads its text
 * format.
 */
#include "parsers/plcrash/plcrash.h"

#include "parsers/input/completeness.h"
#include "parsers/reader.h"

#include <string.h>

#define MAGIC        "plcrash"
#define MAGIC_BYTES  7
#define HEADER_BYTES (MAGIC_BYTES + 1)
#define VERSION      1

static void read_system(struct plcrash_message *message, void *target)
{
	static const struct plcrash_field fields[] = {
		PLCRASH_FIELD(1, "operating_system", PLCRASH_NUMBER,
		              struct plcrash_facts, system.operating_system),
		PLCRASH_FIELD(2, "os_version", PLCRASH_TEXT,
		              struct plcrash_facts, system.version),
		PLCRASH_FIELD(3, "architecture", PLCRASH_NUMBER,
		              struct plcrash_facts, system.architecture),
		PLCRASH_FIELD(4, "timestamp", PLCRASH_NUMBER,
		              struct plcrash_facts, system.timestamp),
		PLCRASH_FIELD(5, "os_build", PLCRASH_TEXT, struct plcrash_facts,
		              system.build),
	};

	plcrash_read(message, fields, ARRAY_SIZE(fields), target);
}

static void read_app(struct plcrash_message *message, void *target)
{
	static const struct plcrash_field fields[] = {
		PLCRASH_FIELD(1, "identifier", PLCRASH_TEXT,
		              struct plcrash_facts, app.identifier),
		PLCRASH_FIELD(2, "version", PLCRASH_TEXT, struct plcrash_facts,
		              app.version),
		PLCRASH_FIELD(3, "marketing_version", PLCRASH_TEXT,
		              struct plcrash_facts, app.marketing),
	};

	plcrash_read(message, fields, ARRAY_SIZE(fields), target);
}

static void read_process(struct plcrash_message *message, void *target)
{
	static const struct plcrash_field fields[] = {
		PLCRASH_FIELD(1, "process_name", PLCRASH_TEXT,
		              struct plcrash_facts, process.name),
		PLCRASH_FIELD(2, "process_id", PLCRASH_NUMBER,
		              struct plcrash_facts, process.id),
		PLCRASH_FIELD(3, "process_path", PLCRASH_TEXT,
		              struct plcrash_facts, process.path),
		PLCRASH_FIELD(4, "parent_process_name", PLCRASH_TEXT,
		              struct plcrash_facts, process.parent_name),
		PLCRASH_FIELD(5, "parent_process_id", PLCRASH_NUMBER,
		              struct plcrash_facts, process.parent_id),
		PLCRASH_FIELD(6, "native", PLCRASH_NUMBER, struct plcrash_facts,
		              process.native),
		PLCRASH_FIELD(7, "start_time", PLCRASH_NUMBER,
		              struct plcrash_facts, process.start_time),
	};

	plcrash_read(message, fields, ARRAY_SIZE(fields), target);
}

static void read_processor(struct plcrash_message *message, void *target)
{
	struct plcrash_facts *facts = target;

	plcrash_read_cpu(message, &facts->machine.processor);
}

static void read_machine(struct plcrash_message *message, void *target)
{
	static const struct plcrash_field fields[] = {
		PLCRASH_FIELD(1, "model", PLCRASH_TEXT, struct plcrash_facts,
		              machine.model),
		PLCRASH_INNER(2, "processor", PLCRASH_MESSAGE, read_processor),
	};

	plcrash_read(message, fields, ARRAY_SIZE(fields), target);
}

static void read_mach_exception(struct plcrash_message *message, void *target)
{
	static const struct plcrash_field fields[] = {
		PLCRASH_FIELD(1, "type", PLCRASH_NUMBER, struct plcrash_facts,
		              signal.mach_type),
		PLCRASH_FIELD(2, "codes", PLCRASH_NUMBERS, struct plcrash_facts,
		              signal.mach_codes),
	};

	plcrash_read(message, fields, ARRAY_SIZE(fields), target);
}

static void read_signal(struct plcrash_message *message, void *target)
{
	static const struct plcrash_field fields[] = {
		PLCRASH_FIELD(1, "name", PLCRASH_TEXT, struct plcrash_facts,
		              signal.name),
		PLCRASH_FIELD(2, "code", PLCRASH_TEXT, struct plcrash_facts,
		              signal.code),
		PLCRASH_FIELD(3, "address", PLCRASH_NUMBER,
		              struct plcrash_facts, signal.address),
		PLCRASH_INNER(4, "mach_exception", PLCRASH_MESSAGE,
		              read_mach_exception),
	};

	plcrash_read(message, fields, ARRAY_SIZE(fields), target);
}

static void read_report_info(struct plcrash_message *message, void *target)
{
	static const struct plcrash_field fields[] = {
		PLCRASH_FIELD(1, "user_requested", PLCRASH_NUMBER,
		              struct plcrash_facts, user_requested),
		PLCRASH_FIELD(2, "uuid", PLCRASH_BYTES, struct plcrash_facts,
		              uuid),
	};

	plcrash_read(message, fields, ARRAY_SIZE(fields), target);
}

static const struct plcrash_field report_fields[] = {
	PLCRASH_INNER(1, "system_info", PLCRASH_MESSAGE, read_system),
	PLCRASH_INNER(2, "application_info", PLCRASH_MESSAGE, read_app),
	PLCRASH_INNER(3, "threads", PLCRASH_MESSAGES, plcrash_read_thread),
	PLCRASH_INNER(4, "binary_images", PLCRASH_MESSAGES, plcrash_read_image),
	PLCRASH_INNER(5, "exception", PLCRASH_MESSAGE, plcrash_read_exception),
	PLCRASH_INNER(6, "signal", PLCRASH_MESSAGE, read_signal),
	PLCRASH_INNER(7, "process_info", PLCRASH_MESSAGE, read_process),
	PLCRASH_INNER(8, "machine_info", PLCRASH_MESSAGE, read_machine),
	PLCRASH_INNER(9, "report_info", PLCRASH_MESSAGE, read_report_info),
	PLCRASH_FIELD(10, "custom_data", PLCRASH_BYTES, struct plcrash_facts,
	              custom_data),
};

/** Log lines may begin with the same seven letters. */
static bool plcrash_sniff(const struct envelope *envelope)
{
	struct text in = envelope->text;

	return in.size >= HEADER_BYTES && text_starts(in, MAGIC) &&
	       in.data[MAGIC_BYTES] > 0 && in.data[MAGIC_BYTES] < '\t';
}

static bool is_empty(const struct report *report)
{
	return !report->thread_count && !report->image_count &&
	       !report->process.name && !report->identifier &&
	       !report->os_version && !report->exception.signal &&
	       !report->thrown.name && !report->incident;
}

static struct error *plcrash_read_report(const struct envelope *envelope,
                                         struct sink *sink)
{
	struct arena *arena = sink->arena;
	struct text in = envelope->text;
	struct plcrash_facts facts = { 0 };
	struct plcrash_reader reader = {
		.notes = { .report = report_new(arena), .arena = arena },
	};
	struct plcrash_message message = {
		.reader = &reader,
		.place = JSON_PLACE_ROOT(&reader.notes),
	};
	struct bytes all = bytes_from_text(in);

	if (in.size < HEADER_BYTES)
		return error_new(ERROR_FORMAT,
		                 "a PLCrashReporter report of %zu bytes, "
		                 "expected at least %d",
		                 in.size, HEADER_BYTES);
	if (in.data[MAGIC_BYTES] != VERSION)
		return error_new(ERROR_UNSUPPORTED,
		                 "a PLCrashReporter report of unknown version "
		                 "%d",
		                 in.data[MAGIC_BYTES]);
	reader.notes.report->format = plcrash_reader.name;
	message.wire = protobuf_open(
	        bytes_part(all, HEADER_BYTES, all.size - HEADER_BYTES),
	        HEADER_BYTES);
	plcrash_read(&message, report_fields, ARRAY_SIZE(report_fields),
	             &facts);
	plcrash_note_limits(&message);
	plcrash_use_facts(&facts, &message);
	if (is_empty(reader.notes.report))
		return error_new(ERROR_FORMAT,
		                 "an empty PLCrashReporter report");
	report_place_frames(reader.notes.report);
	completeness_check_frames(reader.notes.report, reader.frame_count,
	                          arena);
	sink_report(sink, reader.notes.report);
	return NULL;
}

const struct reader plcrash_reader = {
	.name = "plcrash",
	.summary = "PLCrashReporter's binary format (.plcrash)",
	.yields = YIELDS_REPORTS,
	.is_binary = true,
	.sniff = plcrash_sniff,
	.read = plcrash_read_report,
};
