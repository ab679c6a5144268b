// SPDX-License-Identifier: MIT
#include "parsers/kscrash/parts.h"

#include "lib/base/limit.h"
#include "lib/base/str.h"
#include "lib/darwin/exceptions.h"
#include "lib/darwin/signals.h"
#include "parsers/json/lines.h"
#include "parsers/text/stack_line.h"

#include <inttypes.h>
#include <string.h>

#define NOT_A_CRASH "NON-FATAL CONDITION (this is NOT a crash)"

enum {
	EXC_RESOURCE = 11,
	EXC_GUARD = 12,
};

// Exception and signal

struct mach_facts {
	uint64_t exception;
	uint64_t code;
	uint64_t subcode;
	const char *name;
	const char *code_name;
};

static const struct json_field mach_fields[] = {
	JSON_FIELD("exception", JSON_FIELD_U64, struct mach_facts, exception),
	JSON_FIELD("code", JSON_FIELD_U64, struct mach_facts, code),
	JSON_FIELD("subcode", JSON_FIELD_U64, struct mach_facts, subcode),
	JSON_FIELD("exception_name", JSON_FIELD_TEXT, struct mach_facts, name),
	JSON_FIELD("code_name", JSON_FIELD_TEXT, struct mach_facts, code_name),
};

struct signal_facts {
	uint64_t signal;
	uint64_t code;
	const char *name;
	const char *code_name;
};

static const struct json_field signal_fields[] = {
	JSON_FIELD("signal", JSON_FIELD_U64, struct signal_facts, signal),
	JSON_FIELD("code", JSON_FIELD_U64, struct signal_facts, code),
	JSON_FIELD("name", JSON_FIELD_TEXT, struct signal_facts, name),
	JSON_FIELD("code_name", JSON_FIELD_TEXT, struct signal_facts,
	           code_name),
};

/** NULL for an empty name, which KSCrash writes if it found none. */
static const char *unless_empty(const char *name)
{
	return name && *name ? name : NULL;
}

/** Meaning of a Mach exception's code; its name is not NULL. */
static struct darwin_exception_code mach_code(const struct kscrash *ks,
                                              const struct mach_facts *mach)
{
	struct json_reader *reader = ks->place.reader;
	struct darwin_exception_code code = darwin_exception_code(
	        reader->report->code_type, mach->exception, mach->code);

	// KSCrash names every code like a kernel return value, for any
	// processor: its name is the second choice.
	if (code.name)
		return code;
	code.has_address = true;
	code.name = unless_empty(mach->code_name);
	if (!code.name)
		code.name =
		        arena_printf(reader->arena, "0x%08" PRIx64, mach->code);
	return code;
}

static const char *signal_code(const struct signal_facts *signal)
{
	const char *name = unless_empty(signal->code_name);

	return name ? name
	            : darwin_signal_code_name(signal->signal, signal->code);
}

/** `KERN_INVALID_ADDRESS at 0x…`, as in KSCrash's own text. */
static const char *codes_of(const struct kscrash *ks,
                            const struct mach_facts *mach,
                            const struct signal_facts *signal)
{
	struct arena *arena = ks->place.reader->arena;
	int digits = kscrash_address_digits(ks->place.reader->report);
	struct darwin_exception_code code = { .has_address = true };
	uint64_t address = 0;

	json_as_u64(cJSON_GetObjectItemCaseSensitive(ks->error, "address"),
	            &address);
	// These codes are facts packed into words, not names and addresses.
	if (mach->exception == EXC_RESOURCE || mach->exception == EXC_GUARD)
		return arena_printf(arena, "0x%016" PRIx64 ", 0x%016" PRIx64,
		                    mach->code, mach->subcode);
	if (mach->exception || unless_empty(mach->code_name))
		code = mach_code(ks, mach);
	else
		code.name = signal_code(signal);
	if (!code.name || !code.has_address)
		return code.name;
	return arena_printf(arena, "%s at 0x%0*" PRIx64, code.name, digits,
	                    address);
}

static void read_exception(const struct kscrash *ks,
                           const struct json_place *error_place)
{
	struct report_exception *exception =
	        &ks->place.reader->report->exception;
	struct json_place mach_place = JSON_PLACE_MEMBER(error_place, "mach");
	struct json_place signal_place =
	        JSON_PLACE_MEMBER(error_place, "signal");
	struct mach_facts mach = { 0 };
	struct signal_facts signal = { 0 };

	json_place_fields(
	        &mach_place,
	        json_place_member(error_place, ks->error, "mach", JSON_OBJECT),
	        mach_fields, ARRAY_SIZE(mach_fields), &mach);
	json_place_fields(&signal_place,
	                  json_place_member(error_place, ks->error, "signal",
	                                    JSON_OBJECT),
	                  signal_fields, ARRAY_SIZE(signal_fields), &signal);
	// Exception 0 is none: the report only has a signal.
	exception->type = unless_empty(mach.name);
	if (!exception->type)
		exception->type = darwin_exception_name(mach.exception);
	if (!signal.signal)
		signal.signal = darwin_default_signal(mach.exception, mach.code,
		                                      mach.subcode);
	exception->signal = unless_empty(signal.name);
	if (!exception->signal)
		exception->signal = darwin_signal_name(signal.signal);
	exception->codes = codes_of(ks, &mach, &signal);
}

// Messages of app and runtime

/** Add a line, without the line end that assertions include. */
static void add_line(struct str *text, const char *line)
{
	struct text trimmed = text_trim_right(text_from(line ? line : ""));

	if (!trimmed.size)
		return;
	if (text->size)
		str_add_char(text, '\n');
	str_add_text(text, trimmed);
}

static void add_labelled(struct str *text, const char *label, const char *value)
{
	SCOPED(str_release) struct str line = { 0 };

	if (!value || !*value)
		return;
	str_addf(&line, "%s: %s", label, value);
	add_line(text, str_cstr(&line));
}

/** React Native's frames, as JavaScript engines print them. */
static void add_script_frame(struct str *text, const cJSON *frame)
{
	const char *file = cJSON_GetStringValue(
	        cJSON_GetObjectItemCaseSensitive(frame, "file"));
	const char *function = cJSON_GetStringValue(
	        cJSON_GetObjectItemCaseSensitive(frame, "methodName"));
	SCOPED(str_release) struct str line = { 0 };
	uint64_t number;

	if (!file) {
		json_lines_add(&line, frame);
	} else {
		str_addf(&line, "%s@%s", function ? function : "", file);
		if (json_as_u64(cJSON_GetObjectItemCaseSensitive(frame,
		                                                 "lineNumber"),
		                &number))
			str_addf(&line, ":%" PRIu64, number);
		if (json_as_u64(
		            cJSON_GetObjectItemCaseSensitive(frame, "column"),
		            &number))
			str_addf(&line, ":%" PRIu64, number);
	}
	add_line(text, str_cstr(&line));
}

/** An address in a user's backtrace. */
static bool read_user_frame(const cJSON *value, struct report_stack *stack,
                            struct arena *arena)
{
	const char *text = cJSON_GetStringValue(value);
	struct frame_line line;
	uint64_t address;

	if (text && frame_line_parse(text_from(text), &line)) {
		stack_add_line(stack, &line, arena);
		return true;
	}
	if (!json_as_u64(value, &address) &&
	    !json_as_u64(
	            cJSON_GetObjectItemCaseSensitive(value, "instruction_addr"),
	            &address))
		return false;
	report_add_frame(stack, arena)->address = address;
	return true;
}

/**
 * The app's own backtrace: addresses become a stack, other elements (usually
 * frames of a script) stay text.
 */
static void read_user_backtrace(const struct kscrash *ks, const cJSON *user,
                                struct str *text)
{
	struct json_reader *reader = ks->place.reader;
	const cJSON *backtrace =
	        cJSON_GetObjectItemCaseSensitive(user, "backtrace");
	struct report_stack *stack = NULL;
	struct report_stack frames = { .all_return_addresses = true };
	bool titled = false;

	if (cJSON_GetStringValue(backtrace))
		add_labelled(text, "Custom Backtrace",
		             cJSON_GetStringValue(backtrace));
	for (const cJSON *value = cJSON_GetArrayItem(backtrace, 0);
	     value && frames.count < limit_get(LIMIT_FRAMES) &&
	     json_lines_fit(text);
	     value = value->next) {
		if (read_user_frame(value, &frames, reader->arena))
			continue;
		if (!titled)
			add_line(text, "Custom Backtrace:");
		titled = true;
		if (cJSON_GetStringValue(value))
			add_line(text, cJSON_GetStringValue(value));
		else
			add_script_frame(text, value);
	}
	if (!frames.count)
		return;
	stack = report_add_app_backtrace(reader->report, reader->arena);
	*stack = frames;
}

static void read_user_error(const struct kscrash *ks, struct str *text)
{
	const cJSON *user =
	        cJSON_GetObjectItemCaseSensitive(ks->error, "user_reported");
	struct json_reader *reader = ks->place.reader;
	const cJSON *line =
	        cJSON_GetObjectItemCaseSensitive(user, "line_of_code");
	const char *name = cJSON_GetStringValue(
	        cJSON_GetObjectItemCaseSensitive(user, "name"));
	const cJSON *lag = cJSON_GetObjectItemCaseSensitive(user, "dump_type");

	if (name)
		reader->report->thrown.name = arena_strdup(reader->arena, name);
	reader->report->thrown.kind = "user-reported";
	add_labelled(text, "Language",
	             cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(
	                     user, "language")));
	add_labelled(text, "Line",
	             cJSON_GetStringValue(line)
	                     ? cJSON_GetStringValue(line)
	                     : json_number_text(line, reader->arena));
	read_user_backtrace(ks, user, text);
	if (!cJSON_IsNumber(lag)) {
		// With a backtrace, it is an error of a script.
		reader->report->is_live = !cJSON_GetArrayItem(
		        cJSON_GetObjectItemCaseSensitive(user, "backtrace"), 0);
		return;
	}
	// Matrix reports hangs this way.
	reader->report->exception.note = NOT_A_CRASH;
	reader->report->kind = matrix_kind(lag, reader->arena);
	matrix_set_kind(lag, reader->report);
	if (name)
		report_add_field(reader->report, reader->arena, "User Report",
		                 reader->report->thrown.name);
}

static void read_thrown(const struct kscrash *ks, const char *kind,
                        const char **name_target)
{
	const char *member = ks->error_type == KSCRASH_ERROR_NSEXCEPTION
	                             ? "nsexception"
	                             : "cpp_exception";
	const cJSON *thrown =
	        cJSON_GetObjectItemCaseSensitive(ks->error, member);
	struct json_reader *reader = ks->place.reader;
	const char *name = cJSON_GetStringValue(
	        cJSON_GetObjectItemCaseSensitive(thrown, "name"));
	const char *reason = cJSON_GetStringValue(
	        cJSON_GetObjectItemCaseSensitive(thrown, "reason"));

	reader->report->thrown.kind = kind;
	if (name)
		*name_target = arena_strdup(reader->arena, name);
	else
		json_place_note(&ks->place, "crash.error",
		                "the exception has no name");
	if (reason && !reader->report->thrown.reason)
		reader->report->thrown.reason =
		        arena_strdup(reader->arena, reason);
}

/** The app used an exception that was already freed. */
static bool is_zombie(const struct kscrash *ks, const cJSON *exception)
{
	const cJSON *registers = cJSON_GetObjectItemCaseSensitive(
	        cJSON_GetObjectItemCaseSensitive(kscrash_crashed_thread(ks),
	                                         "registers"),
	        "basic");
	const struct report *report = ks->place.reader->report;
	uint64_t address;
	uint64_t value;

	if (!report->exception.type ||
	    strcmp(report->exception.type, "EXC_BAD_ACCESS") ||
	    !json_as_u64(cJSON_GetObjectItemCaseSensitive(exception, "address"),
	                 &address) ||
	    !address)
		return false;
	const cJSON *reg;

	cJSON_ArrayForEach (reg, registers)
		if (json_as_u64(reg, &value) && value == address)
			return true;
	return false;
}

static void read_zombie(const struct kscrash *ks, struct str *text)
{
	const cJSON *exception = cJSON_GetObjectItemCaseSensitive(
	        cJSON_GetObjectItemCaseSensitive(ks->root, "process"),
	        "last_dealloced_nsexception");
	struct json_reader *reader = ks->place.reader;
	struct report_thrown *thrown = &reader->report->thrown;
	const char *name = cJSON_GetStringValue(
	        cJSON_GetObjectItemCaseSensitive(exception, "name"));
	const char *reason = cJSON_GetStringValue(
	        cJSON_GetObjectItemCaseSensitive(exception, "reason"));

	if (!name || thrown->name || !is_zombie(ks, exception))
		return;
	thrown->name = arena_strdup(reader->arena, name);
	thrown->reason = arena_strdup(reader->arena, reason);
	add_line(text, "NOTE: This exception has been deallocated! The stack "
	               "is that of an access to the dead exception.");
}

/** `crash_info_message`: messages of libraries for the crash reporter. */
static void add_image_messages(const struct kscrash *ks, struct str *text)
{
	static const char *const keys[] = { "crash_info_message",
		                            "crash_info_message2" };
	const cJSON *images =
	        cJSON_GetObjectItemCaseSensitive(ks->root, "binary_images");

	for (const cJSON *image = cJSON_GetArrayItem(images, 0);
	     image && json_lines_fit(text); image = image->next)
		for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
			add_line(text, cJSON_GetStringValue(
			                       cJSON_GetObjectItemCaseSensitive(
			                               image, keys[i])));
}

static void read_type(const struct kscrash *ks, const char *reason,
                      struct str *text)
{
	struct report *report = ks->place.reader->report;

	switch (ks->error_type) {
	case KSCRASH_ERROR_NSEXCEPTION:
		report->thrown.reason = reason;
		read_thrown(ks, "objc-exception", &report->thrown.name);
		return;
	case KSCRASH_ERROR_CPP_EXCEPTION:
		report->thrown.reason = reason;
		// As the compiler mangled it: parsers do not demangle.
		read_thrown(ks, "cpp-exception", &report->thrown.class_name);
		return;
	case KSCRASH_ERROR_USER:
		report->thrown.reason = reason;
		read_user_error(ks, text);
		return;
	case KSCRASH_ERROR_DEADLOCK:
		add_line(text, "Application main thread deadlocked");
		report->sample_kind = SAMPLE_KIND_STALL;
		break;
	case KSCRASH_ERROR_HANG:
	case KSCRASH_ERROR_PROFILE:
	case KSCRASH_ERROR_OTHER:
		break;
	}
	add_line(text, reason);
}

/** Did the process continue? All reports of a run include its last hang. */
static void read_fatality(const struct kscrash *ks)
{
	bool fatal = true;

	json_as_bool(cJSON_GetObjectItemCaseSensitive(ks->error, "is_fatal"),
	             &fatal);
	if (!fatal || ks->error_type == KSCRASH_ERROR_HANG ||
	    ks->error_type == KSCRASH_ERROR_PROFILE)
		ks->place.reader->report->exception.note = NOT_A_CRASH;
}

/** The layout adds the exception unless the text contains it. */
static void keep_thrown(const struct report_thrown *thrown, struct str *text)
{
	SCOPED(str_release) struct str line = { 0 };

	if (!thrown->name || !strstr(str_cstr(text), "uncaught exception"))
		return;
	str_addf(&line, "*** Terminating app due to uncaught exception '%s'",
	         thrown->name);
	if (thrown->reason)
		str_addf(&line, ", reason: '%s'", thrown->reason);
	str_addf(&line, "\n%s", str_cstr(text));
	str_clear(text);
	str_add_text(text, str_text(&line));
}

void kscrash_read_error(const struct kscrash *ks)
{
	struct json_reader *reader = ks->place.reader;
	struct json_place crash_place = JSON_PLACE_MEMBER(&ks->place, "crash");
	struct json_place place = JSON_PLACE_MEMBER(&crash_place, "error");
	SCOPED(str_release) struct str text = { 0 };
	const char *reason = cJSON_GetStringValue(
	        cJSON_GetObjectItemCaseSensitive(ks->error, "reason"));

	if (ks->crash && !ks->error)
		json_place_note(&crash_place, "error",
		                "the report does not say why it was written");
	if (reason)
		reason = arena_strdup(reader->arena, reason);
	// A profile has the signal of a requested report.
	if (ks->error_type != KSCRASH_ERROR_PROFILE)
		read_exception(ks, &place);
	read_type(ks, reason, &text);
	read_fatality(ks);
	read_zombie(ks, &text);
	add_image_messages(ks, &text);
	keep_thrown(&reader->report->thrown, &text);
	if (text.size)
		json_lines_section(reader->report, reader->arena,
		                   KSCRASH_INFORMATION, &text);
}
