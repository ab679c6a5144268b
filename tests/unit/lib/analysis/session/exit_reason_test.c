// SPDX-License-Identifier: MIT
#include "lib/analysis/session/crash_reports.h"
#include "lib/analysis/session/exit_reason.h"

#include "lib/analysis/jetsam/jetsam.h"
#include "parsers/reader.h"
#include "parsers/session/record.h"
#include "tests/unit/read_reports.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/** A test's arena, gone with it. */
static int setup(void **state)
{
	static struct arena arena;

	*state = &arena;
	return 0;
}

static int teardown(void **state)
{
	arena_release(*state);
	return 0;
}

static struct bytes bytes_of(const char *text)
{
	return (struct bytes){ .data = (const uint8_t *)text,
		               .size = strlen(text) };
}

static struct session_file read_file(const char *text, struct arena *arena)
{
	struct session_file file = { 0 };
	struct error *err = session_record_parse(bytes_of(text), arena, &file);

	if (err)
		fail_msg("%s: %s", text, error_message(err));
	return file;
}

static struct session *read_sessions(const char *text, struct arena *arena)
{
	return read_file(text, arena).first;
}

static void assert_reason(const char *text, const char *reason, bool likely,
                          struct arena *arena)
{
	struct exit_answer answer;

	exit_reason_of_session(read_sessions(text, arena), arena, &answer);
	if (strcmp(exit_reason_name(answer.reason), reason) != 0 ||
	    answer.likely != likely)
		fail_msg("%s: %s%s", text, answer.likely ? "likely " : "",
		         exit_reason_name(answer.reason));
}

/** All causes before a stall. */
#define NOTHING_ELSE                                                \
	"\"isCrashed\":0,\"isAppUpdated\":0,\"isSystemUpdated\":0," \
	"\"isRebooted\":0,\"isUserQuit\":0,\"isExit\":0,"           \
	"\"isBackgroundLaunch\":0,"

static void each_cause_has_its_verdict(void **state)
{
	static const struct {
		const char *record;
		const char *reason;
		bool likely;
	} cases[] = {
		{ "{\"isDebugged\":true}", "unknown", false },
		{ "{\"isTest\":1}", "unknown", false },
		{ "{\"isReinstalled\":true}", "update", true },
		{ "{\"isAppUpdated\":\"YES\"}", "update", true },
		{ "{\"isExit\":false,\"appVersion\":\"1\","
		  "\"currentAppVersion\":\"2\"}",
		  "update", true },
		{ "{\"isSystemUpdated\":true}", "OS update", true },
		{ "{\"isExit\":false,\"systemVersion\":17.5,"
		  "\"currentSystemVersion\":\"17.6\"}",
		  "OS update", true },
		{ "{\"isExit\":false,\"bootTime\":100.0,"
		  "\"currentBootTime\":100}",
		  "unknown", false },
		{ "{\"isExit\":false,\"bootTime\":1700000000,"
		  "\"currentBootTime\":\"1700000005.0\"}",
		  "unknown", false },
		{ "{\"isExit\":false,\"bootTime\":1700000000,"
		  "\"currentBootTime\":1700000005.001}",
		  "reboot", true },
		{ "{\"isExit\":false,\"bootTime\":1700000005.001,"
		  "\"currentBootTime\":1700000000}",
		  "reboot", true },
		{ "{\"isExit\":false,\"bootTime\":1700000000000,"
		  "\"currentBootTime\":1700000004}",
		  "unknown", false },
		{ "{\"isExit\":false,\"bootTime\":\"2023-11-14T22:13:20Z\","
		  "\"currentBootTime\":1700000000}",
		  "unknown", false },
		{ "{\"isExit\":false,\"bootTime\":\"a\","
		  "\"currentBootTime\":\"b\"}",
		  "reboot", true },
		{ "{\"isCrashed\":1.0}", "crash", false },
		{ "{\"isCrashed\":0.0,\"isExit\":\"1.00\"}", "exit", true },
		{ "{\"isRebooted\":true}", "reboot", true },
		{ "{\"isExit\":false,\"bootTime\":1700000000,"
		  "\"currentBootTime\":1700005000}",
		  "reboot", true },
		{ "{\"isCrashed\":\"1\"}", "crash", false },
		{ "{\"isDeadLock\":true}", "stall kill", true },
		{ "{\"isExit\":true}", "exit", true },
		{ "{\"isUserQuit\":true}", "user quit", true },
		{ "{\"isBackgroundLaunch\":true,\"appState\":\"active\"}",
		  "background launch", true },
		{ "{\"\u540e\u53f0\u542f\u52a8\":\"YES\","
		  "\"appState\":\"active\"}",
		  "background launch", true },
		{ "{\"isBackgroundLaunch\":0,\"\u540e\u53f0\u542f\u52a8\":1,"
		  "\"appState\":\"active\"}",
		  "FOOM", true },
		// Of a state alone, nothing is ruled out.
		{ "{\"appState\":\"APPENTERFORGROUND\"}", "unknown", false },
		{ "{\"appState\":\"active\",\"isTest\":0}", "unknown", false },
		{ "{\"appState\":\"active\",\"isCrashed\":0}", "FOOM", true },
		{ "{\"crashedLastLaunch\":true}", "crash", false },
		{ "{\"isCrashed\":true,\"isAppUpdated\":true}", "crash",
		  false },
		{ "{\"isCrashed\":false,\"isAppUpdated\":true}", "update",
		  false },
		{ "{\"isCrashed\":0,\"isReinstalled\":0,"
		  "\"isSystemUpdated\":1}",
		  "OS update", true },
		{ "{\"isCrashed\":0,\"isAppUpdated\":0,"
		  "\"isSystemUpdated\":1}",
		  "OS update", false },
		// A mark of a stall is one of the foreground.
		{ "{\"isDeadLock\":1,\"isExit\":0,"
		  "\"appState\":\"background\"}",
		  "BOOM", true },
		{ "{\"isDeadLock\":1,\"appState\":\"background\"}", "unknown",
		  false },
		{ "{\"isDeadLock\":1,\"appState\":\"active\"}", "stall kill",
		  true },
		{ "{" NOTHING_ELSE "\"isDeadLock\":1,"
		  "\"appState\":\"active\"}",
		  "stall kill", false },
		{ "{" NOTHING_ELSE "\"isDeadLock\":1}", "stall kill", true },
		{ "{" NOTHING_ELSE "\"isDeadLock\":0,"
		  "\"appState\":\"active\"}",
		  "FOOM", true },
		{ "{\"crash_type\":\"deadlock_crash\"}", "stall kill", true },
		{ "{\"crash_type\":\"foom_crash\"}", "FOOM", true },
		{ "{\"crash_type\":\"other\"}", "unknown", false },
		{ "{\"crash_type\":\"foom_crash\",\"isExit\":1}", "exit",
		  true },
		{ "{\"deadlockStack\":\"0 Demo 0x1\"}", "stall kill", true },
		{ "{\"deadlockStack\":\"0 Demo 0x1\",\"isDeadLock\":0}",
		  "unknown", false },
		{ "{\"stack_oom\":[\"0 Demo 0x1\"]}", "FOOM", true },
		{ "{\"stack_oom\":\"\",\"isExit\":0}", "unknown", false },
		{ "{\"appState\":\"Background\",\"isExit\":0}", "BOOM", true },
		{ "{\"appState\":\"suspended\",\"isExit\":0}", "suspended kill",
		  true },
		{ "{\"appState\":\"APPLAUNCHED\"}", "unknown", false },
		{ "{\"isExit\":false}", "unknown", false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_reason(cases[i].record, cases[i].reason, cases[i].likely,
		              *state);
}

/** Each record says one thing less than the one before. */
static void the_first_cause_in_order_decides(void **state)
{
	static const struct {
		const char *field;
		const char *reason;
	} steps[] = {
		{ "\"isDebugged\":true,", "unknown" },
		{ "\"isCrashed\":true,", "crash" },
		{ "\"isAppUpdated\":true,", "update" },
		{ "\"isSystemUpdated\":true,", "OS update" },
		{ "\"isRebooted\":true,", "reboot" },
		{ "\"isUserQuit\":true,", "user quit" },
		{ "\"isExit\":true,", "exit" },
		{ "\"isBackgroundLaunch\":true,", "background launch" },
		{ "\"isDeadLock\":true,", "stall kill" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(steps); i++) {
		SCOPED(str_release) struct str text = { 0 };

		str_add(&text, "{");
		for (size_t k = i; k < ARRAY_SIZE(steps); k++)
			str_add(&text, steps[k].field);
		str_add(&text, "\"appState\":\"foreground\"}");
		assert_reason(str_cstr(&text), steps[i].reason, i > 1, *state);
	}
}

static void the_evidence_names_fields_and_values(void **state)
{
	struct exit_answer answer;

	exit_reason_of_session(
	        read_sessions("{\"isExit\":false,\"appVersion\":\"2.0\","
	                      "\"currentAppVersion\":\"2.1\"}",
	                      *state),
	        *state, &answer);
	assert_string_equal(answer.evidence, "appVersion was 2.0, is 2.1; "
	                                     "missing: isCrashed");
	exit_reason_of_session(
	        read_sessions("{\"isExit\":false,\"isCrashed\":false,"
	                      "\"appState\":\"APPENTERFORGROUND\"}",
	                      *state),
	        *state, &answer);
	assert_string_equal(
	        answer.evidence,
	        "appState is APPENTERFORGROUND; ruled out: isCrashed, isExit; "
	        "missing: isDebugged, isTest, isReinstalled, isAppUpdated, "
	        "appVersion, uuid, isSystemUpdated, systemVersion, "
	        "isRebooted, bootTime, isUserQuit, isBackgroundLaunch, "
	        "isDeadLock");
}

static void a_date_is_shown_as_one(void **state)
{
	struct exit_answer answer;

	exit_reason_of_session(
	        read_sessions("<plist><dict><key>isExit</key><false/>"
	                      "<key>bootTime</key>"
	                      "<date>2026-01-31T09:08:07Z</date>"
	                      "<key>currentBootTime</key>"
	                      "<date>2026-01-31T10:00:00Z</date>"
	                      "</dict></plist>",
	                      *state),
	        *state, &answer);
	assert_string_equal(answer.evidence,
	                    "bootTime was 2026-01-31T09:08:07Z, is "
	                    "2026-01-31T10:00:00Z; missing: isCrashed, "
	                    "isReinstalled, isAppUpdated, appVersion, uuid, "
	                    "isSystemUpdated, systemVersion");
}

static void a_uuid_is_the_same_however_written(void **state)
{
	assert_reason("{\"appState\":\"active\",\"uuid\":"
	              "\"68A27A89-5C3B-3CC3-9AF8-B6B243483B68\","
	              "\"currentUuid\":\"68a27a895c3b3cc39af8b6b243483b68\"}",
	              "FOOM", true, *state);
}

static void a_mistyped_field_is_noted_and_stays_unknown(void **state)
{
	struct session *session =
	        read_sessions("{\"isExit\":\"maybe\",\"isCrashed\":[],"
	                      "\"isTest\":null,\"pid\":-4,\"appVersion\":{},"
	                      "\"appState\":\"dreaming\",\"extra\":1}",
	                      *state);
	static const char *const notes[] = {
		"isCrashed: expected true or false, found an array",
		"isExit: expected true or false, found 'maybe'",
		"appVersion: expected text, found an object",
		"appState: expected a known state, found 'dreaming'",
		"pid: expected a number, found '-4'",
	};

	assert_int_equal(session->note_count, ARRAY_SIZE(notes));
	for (size_t i = 0; i < ARRAY_SIZE(notes); i++)
		assert_string_equal(session->notes[i], notes[i]);
	assert_false(session->flags[SESSION_EXITED].has_value);
	assert_false(session->flags[SESSION_CRASHED].has_value);
	assert_false(session->has_pid);
}

static void what_is_no_record_is_refused(void **state)
{
	static const struct {
		const char *text;
		const char *message;
	} cases[] = {
		{ "", "no last-session record" },
		{ "[]", "no last-session record" },
		{ "{\"uuid\":\"1\"}", "record 1: not a last-session record: it "
		                      "has no key about the end of a session" },
		{ "[7, {\"a\":1}]", "record 1: not a last-session record: it "
		                    "has no key about the end of a session" },
		{ "{\"isExit\" 1}",
		  "record 1: line 1, column 11: expected ':', found '1'" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct session_file file = { 0 };
		SCOPED(error_drop)
		struct error *err = session_record_parse(
		        bytes_of(cases[i].text), *state, &file);

		assert_non_null(err);
		assert_string_equal(error_message(err), cases[i].message);
		assert_null(file.first);
	}
}

static void what_is_lost_of_a_file_is_noted_and_the_rest_read(void **state)
{
	static const struct {
		const char *text;
		const char *note;
		size_t lost;
		size_t last_index;
	} cases[] = {
		{ "[{\"isExit\":0},7,{\"isExit\":true}]",
		  "record 2: not a last-session record: it has no key about "
		  "the end of a session",
		  1, 2 },
		{ "{\"isExit\":0}\n{\"isExit\" "
		  "1,\n\"pid\":7}\n{\"isExit\":true}",
		  "record 2: line 1, column 11: expected ':', found '1'", 1,
		  2 },
		{ "<plist version=\"1.0\"><array><dict><key>isExit</key>"
		  "<false/></dict><true/><dict><key>isExit</key><true/>"
		  "</dict></array></plist>",
		  "record 2: not a last-session record: it has no key about "
		  "the end of a session",
		  1, 2 },
		{ "<plist><dict><key>isExit</key><true/></dict></plist>\n"
		  "<plist><dict><key>isCrashed</key><true/></dict></plist>",
		  "unexpected data follows the property list: it was not read",
		  1, 0 },
		{ "{\"isExit\":true,\"isCrashed\":tr",
		  "record 1: truncated: its remaining values are missing", 0,
		  0 },
		{ "[{\"isExit\":0},{\"isExit\":true},",
		  "record 2: truncated: its remaining values are missing", 0,
		  1 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct session_file file = read_file(cases[i].text, *state);
		const struct session *last = file.first;

		while (last->next)
			last = last->next;
		assert_int_equal(file.lost, cases[i].lost);
		assert_true(file.note_count > 0);
		assert_string_equal(file.notes[0], cases[i].note);
		assert_int_equal(last->index, cases[i].last_index);
		assert_true(last->flags[SESSION_EXITED].value);
	}
}

static void arrays_and_lines_and_lists_hold_records(void **state)
{
	static const char *const texts[] = {
		"[{\"isExit\":0},{\"isExit\":true}]",
		"{\"isExit\":0}\n{\"foomDict\":{\"isExit\":true}}\n",
		"<plist version=\"1.0\"><array><dict><key>isExit</key><false/>"
		"</dict><dict><key>isExit</key><string>1</string></dict>"
		"</array></plist>",
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		struct session *session = read_sessions(texts[i], *state);

		assert_false(session->flags[SESSION_EXITED].value);
		assert_non_null(session->next);
		assert_int_equal(session->next->index, 1);
		assert_true(session->next->flags[SESSION_EXITED].value);
		assert_null(session->next->next);
	}
}

/** A log with one victim, analysed. */
static const struct report *read_log(const char *states, struct arena *arena)
{
	static const struct jetsam_view view = { .top = 1 };
	struct report *report = NULL;
	struct error *err = read_reports(
	        bytes_of(arena_printf(
	                arena,
	                "{\"bug_type\":\"298\",\"os_version\":\"iPhone OS "
	                "17.2 (21C62)\"}\n{\"memoryStatus\":{\"pageSize\":"
	                "16384},\"processes\":[{\"pid\":7,\"rpages\":9,"
	                "\"name\":\"Demo\",\"reason\":\"vm-pageshortage\","
	                "\"uuid\":\"68a27a89-5c3b-3cc3-9af8-b6b243483b68\","
	                "\"states\":[%s]},{\"pid\":8,\"rpages\":1,"
	                "\"name\":\"Other\",\"states\":[]}]}",
	                states)),
	        arena, &report);

	if (err)
		fail_msg("%s", error_message(err));
	assert_non_null(report->jetsam);
	jetsam_analyse(report, arena, &view);
	return report;
}

static void a_log_of_the_same_process_overrides_the_rule(void **state)
{
	static const struct {
		const char *record;
		const char *states;
		const char *reason; ///< NULL: the log is of another process
		bool likely;
	} cases[] = {
		// Ids are given out again.
		{ "{\"isExit\":true,\"pid\":7}", "\"frontmost\"", "FOOM",
		  true },
		{ "{\"isExit\":true,\"pid\":\"7\"}", "\"background\"", "BOOM",
		  true },
		{ "{\"isExit\":true,\"pid\":7,\"appName\":\"Demo\"}",
		  "\"suspended\"", "suspended kill", false },
		// A name is no proof: that takes a pid or UUID.
		{ "{\"appState\":\"active\",\"appName\":\"Demo\"}",
		  "\"background\"", "BOOM", true },
		{ "{\"isCrashed\":false,\"appName\":\"Demo\"}", "\"frontmost\"",
		  "FOOM", true },
		{ "{\"isExit\":true,\"appName\":\"Demo\"}", "\"frontmost\"",
		  NULL, false },
		{ "{\"isExit\":true,\"appName\":\"DemoWidget\",\"pid\":7}",
		  "\"frontmost\"", NULL, false },
		{ "{\"isExit\":true,\"uuid\":"
		  "\"68A27A895C3B3CC39AF8B6B243483B68\"}",
		  "\"frontmost\"", "FOOM", false },
		// One build, two sessions; one pid, two apps.
		{ "{\"isExit\":true,\"pid\":9,\"uuid\":"
		  "\"68A27A895C3B3CC39AF8B6B243483B68\"}",
		  "\"frontmost\"", NULL, false },
		{ "{\"isExit\":true,\"pid\":7,\"appName\":\"Else\"}",
		  "\"frontmost\"", NULL, false },
		{ "{\"isExit\":true}", "\"frontmost\"", NULL, false },
		// It is in the log, but was not killed.
		{ "{\"isExit\":true,\"pid\":8}", "\"frontmost\"", NULL, false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct session *session =
		        read_sessions(cases[i].record, *state);
		SCOPED(exit_kills_release) struct exit_kills kills = { 0 };
		struct exit_answer answer;
		bool heeded;

		exit_reason_of_session(session, *state, &answer);
		exit_kills_add(&kills, read_log(cases[i].states, *state), "l");
		heeded = exit_reason_use_logs(session, &kills, *state, &answer);
		assert_int_equal(heeded, cases[i].reason != NULL);
		assert_string_equal(exit_reason_name(answer.reason),
		                    heeded ? cases[i].reason : "exit");
		// Of the record's own, a crash is not ruled out.
		assert_int_equal(answer.likely, cases[i].likely || !heeded);
	}
}

/** A victim of a log; what is not known is left out. */
static struct report *victim(const char *fields, struct arena *arena)
{
	static const struct jetsam_view view = { .top = 1 };
	struct report *report = NULL;

	assert_null(read_reports(
	        bytes_of(arena_printf(arena,
	                              "{\"bug_type\":\"298\"}\n{\"processes\":"
	                              "[{\"reason\":\"highwater\",\"states\":"
	                              "[\"frontmost\"],%s}]}",
	                              fields)),
	        arena, &report));
	jetsam_analyse(report, arena, &view);
	return report;
}

#define UUID_A "68a27a89-5c3b-3cc3-9af8-b6b243483b68"
#define UUID_B "12986be6-7a53-3eff-9a3f-35f705791abf"

static void the_first_log_that_fits_is_heeded(void **state)
{
	static const char *const victims[] = {
		"\"pid\":7,\"name\":\"Other\",\"uuid\":\"" UUID_B "\"",
		"\"pid\":8,\"name\":\"Demo\",\"uuid\":\"" UUID_A "\"",
		"\"pid\":7,\"name\":\"Demo\",\"uuid\":\"" UUID_A "\"",
		"\"name\":\"Demo\"",
		"\"pid\":7,\"name\":\"Demo\"",
		"\"pid\":9,\"name\":\"KodiMusicRemoteP\"",
	};
	static const struct {
		const char *record;
		const char *match; ///< NULL: none fits
		size_t index;
	} cases[] = {
		{ "\"pid\":7", "pid", 0 },
		{ "\"pid\":7,\"uuid\":\"" UUID_A "\"", "pid and UUID", 2 },
		{ "\"uuid\":\"" UUID_A "\"", "UUID", 1 },
		{ "\"pid\":7,\"appName\":\"Demo\"", "pid and name", 2 },
		{ "\"pid\":6,\"appName\":\"Demo\"", "name", 3 },
		{ "\"appName\":\"Demo\"", "name", 1 },
		{ "\"appName\":\"Demo\",\"uuid\":\"" UUID_B "\"", "UUID", 0 },
		{ "\"appName\":\"KodiMusicRemotePlayer\"", "name", 5 },
		{ "\"appName\":\"KodiMusicRemote\"", NULL, 0 },
		{ "\"pid\":10", NULL, 0 },
	};
	SCOPED(exit_kills_release) struct exit_kills kills = { 0 };
	struct arena *arena = *state;

	for (size_t i = 0; i < ARRAY_SIZE(victims); i++)
		exit_kills_add(&kills, victim(victims[i], arena),
		               arena_printf(arena, "%zu", i));
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct session *session = read_sessions(
		        arena_printf(arena, "{\"appState\":\"active\",%s}",
		                     cases[i].record),
		        arena);
		struct exit_answer answer;

		exit_reason_of_session(session, arena, &answer);
		if (exit_reason_use_logs(session, &kills, arena, &answer) !=
		    !!cases[i].match)
			fail_msg("%s: %s", cases[i].record, answer.evidence);
		if (!cases[i].match)
			continue;
		assert_non_null(strstr(
		        answer.evidence,
		        arena_printf(arena, "(same %s):", cases[i].match)));
		assert_non_null(
		        strstr(answer.evidence, arena_printf(arena, ", in %zu",
		                                             cases[i].index)));
	}
}

/** Demo killed with this id, in a log of such a date. */
static const struct report *dated(const char *date, const char *incident,
                                  struct arena *arena)
{
	struct report *report = victim("\"pid\":7,\"name\":\"Demo\"", arena);

	report->date_time = date;
	report->incident = incident;
	report->hardware_model = "iPhone12,3";
	return report;
}

static void the_newest_of_several_logs_is_likely(void **state)
{
	static const struct {
		const char *dates[3]; ///< a date, or NULL: the log has none
		const char *incidents[3];
		bool likely;
		const char *evidence;
	} cases[] = {
		{ { "2026-01-01T00:00:00Z", "2026-01-03T00:00:00Z",
		    "2026-01-02T00:00:00Z" },
		  { "a", "b", "c" },
		  true,
		  "killed according to a jetsam log (same pid and name): Demo "
		  "[7], reason highwater, states: frontmost, in 1.ips of "
		  "2026-01-03T00:00:00Z, iPhone12,3; 3 logs match, this is "
		  "the newest" },
		{ { NULL, NULL, NULL },
		  { NULL, NULL, NULL },
		  true,
		  "killed according to a jetsam log (same pid and name): Demo "
		  "[7], reason highwater, states: frontmost, in 0.ips, "
		  "iPhone12,3; 3 logs match, this is the first" },
		// Copies are one.
		{ { "2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z",
		    "2026-01-01T00:00:00Z" },
		  { "a", "a", "a" },
		  false,
		  "killed according to a jetsam log (same pid and name): Demo "
		  "[7], reason highwater, states: frontmost, in 0.ips of "
		  "2026-01-01T00:00:00Z, iPhone12,3" },
	};
	struct arena *arena = *state;
	const struct session *session = read_sessions(
	        "{\"appState\":\"active\",\"pid\":7,\"appName\":\"Demo\"}",
	        arena);

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(exit_kills_release) struct exit_kills kills = { 0 };
		struct exit_answer answer;

		exit_reason_of_session(session, arena, &answer);
		for (size_t k = 0; k < 3; k++)
			exit_kills_add(&kills,
			               dated(cases[i].dates[k],
			                     cases[i].incidents[k], arena),
			               arena_printf(arena, "%zu.ips", k));
		assert_true(
		        exit_reason_use_logs(session, &kills, arena, &answer));
		assert_int_equal(answer.likely, cases[i].likely);
		assert_string_equal(answer.evidence, cases[i].evidence);
	}
}

/** A lag report as a lag monitor writes it. */
static const struct report *lag_of(uint64_t pid, const char *name,
                                   const char *date, struct arena *arena)
{
	struct report *report = report_new(arena);

	report->kind = "lag report of Matrix: main thread block";
	report->process = (struct report_process_ref){
		.name = name,
		.pid = pid,
		.has_pid = pid != 0,
	};
	report->date_time = date;
	assert_true(exit_lags_take(report));
	return report;
}

static void the_last_lag_report_of_a_stalled_session_is_marked(void **state)
{
	static const struct {
		const char *record;
		const char *path; ///< NULL: none is marked
		const char *basis;
	} cases[] = {
		{ "{\"isDeadLock\":1,\"pid\":7,\"appName\":\"Demo\"}", "new",
		  "last of 2 lag reports, new of 2026-01-31 09:00:00 +0000 "
		  "(same pid and name)" },
		{ "{\"isDeadLock\":1,\"pid\":8,\"appName\":\"Demo\"}", "other",
		  "last of 1 lag report, " },
		{ "{\"isDeadLock\":1,\"sessionId\":\"A\"}", "lines",
		  "last of 2 lag reports, lines:3 (same session id)" },
		{ "{\"isDeadLock\":1,\"APP_SESSION_ID\":\"B\"}", "lines",
		  "lines:2 (same session id)" },
		{ "{\"isDeadLock\":1,\"sessionId\":\"C\"}", NULL, NULL },
		{ "{\"isDeadLock\":1,\"pid\":9}", NULL, NULL },
		// Of another end, no lag report is the cause.
		{ "{\"isDeadLock\":1,\"isExit\":1,\"pid\":7}", NULL, NULL },
		{ "{\"appState\":\"active\",\"pid\":7}", NULL, NULL },
	};
	SCOPED(exit_index_release) struct exit_index lags = { 0 };
	struct arena *arena = *state;
	struct exit_answer answer;

	exit_lags_add(&lags,
	              lag_of(7, "Demo", "2026-01-31 09:00:00 +0000", arena),
	              "new");
	exit_lags_add(&lags,
	              lag_of(7, "Demo", "2026-01-31 09:30:00 +0100", arena),
	              "old");
	exit_lags_add(&lags,
	              lag_of(8, "Demo", "2026-01-30 09:00:00 +0000", arena),
	              "other");
	exit_lags_add_line(&lags, "lines", 1, "A", "Demo 2.1 (210)");
	exit_lags_add_line(&lags, "lines", 2, "B", NULL);
	exit_lags_add_line(&lags, "lines", 3, "A", NULL);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct session *session =
		        read_sessions(cases[i].record, arena);

		exit_reason_of_session(session, arena, &answer);
		exit_reason_mark_lag(session, &lags, true, arena, &answer);
		if (!cases[i].path) {
			assert_null(answer.stalled_to_death);
			continue;
		}
		assert_string_equal(answer.stalled_to_death, cases[i].path);
		if (!strstr(answer.evidence, cases[i].basis))
			fail_msg("%s", answer.evidence);
	}
}

static void a_record_without_ids_takes_the_last_lag_report_if_alone(
        void **state)
{
	SCOPED(exit_index_release) struct exit_index lags = { 0 };
	struct arena *arena = *state;
	const struct session *session =
	        read_sessions("{\"isDeadLock\":true}", arena);
	struct exit_answer answer;

	exit_lags_add(&lags, lag_of(0, NULL, NULL, arena), "first");
	exit_lags_add(&lags, lag_of(0, NULL, NULL, arena), "last");
	exit_reason_of_session(session, arena, &answer);
	exit_reason_mark_lag(session, &lags, false, arena, &answer);
	assert_null(answer.stalled_to_death);
	exit_reason_mark_lag(session, &lags, true, arena, &answer);
	assert_string_equal(answer.stalled_to_death, "last");
	assert_string_equal(
	        answer.evidence,
	        "the main thread was hanging: isDeadLock is true; "
	        "missing: isCrashed, isReinstalled, isAppUpdated, "
	        "appVersion, uuid, isSystemUpdated, systemVersion, "
	        "isRebooted, bootTime, isUserQuit, isExit, "
	        "isBackgroundLaunch, appState; "
	        "possibly stalled to death: the last of 2 lag reports, "
	        "last (the record does not identify its session)");
}

/** A crash of Demo [7]. */
static struct report *crash_at(const char *date, struct arena *arena)
{
	struct report *report = report_new(arena);

	report->format = "crash-text";
	report->process = (struct report_process_ref){
		.name = "Demo",
		.pid = 7,
		.has_pid = true,
	};
	report->exception.type = "EXC_BAD_ACCESS";
	report->exception.signal = "SIGSEGV";
	report->exception.codes = "0x0000000000000001, 0x0000000000000010";
	report->exception.subtype = "KERN_INVALID_ADDRESS at 0x10";
	report->date_time = date;
	return report;
}

static void assert_reported(const struct report *report, const char *record,
                            const char *reason, bool likely,
                            struct arena *arena)
{
	SCOPED(exit_index_release) struct exit_index index = { 0 };
	const struct session *session = read_sessions(record, arena);
	struct exit_answer answer;
	bool heeded;

	assert_true(exit_reports_take(report));
	exit_reports_add(&index, report, NULL, "r", arena);
	exit_reason_of_session(session, arena, &answer);
	heeded = exit_reason_use_reports(session, &index, arena, &answer);
	if (heeded != !!reason)
		fail_msg("%s: %s", record, answer.evidence);
	if (!reason)
		return;
	assert_string_equal(exit_reason_name(answer.reason), reason);
	if (answer.likely != likely)
		fail_msg("%s: %s", record, answer.evidence);
}

static void a_crash_report_of_the_session_outranks_its_record(void **state)
{
	static const struct {
		const char *record;
		const char *reason; ///< NULL: the report is of another session
		bool likely;
	} cases[] = {
		{ "{\"isExit\":1,\"pid\":7,\"appName\":\"Demo\"}", "crash",
		  false },
		{ "{\"isExit\":1,\"pid\":7}", "crash", true },
		{ "{\"isExit\":1,\"pid\":8}", NULL, false },
		{ "{\"isExit\":1,\"appName\":\"Demo\"}", NULL, false },
		{ "{\"isExit\":0,\"appName\":\"Demo\"}", "crash", true },
		// At nine, within the session.
		{ "{\"isExit\":1,\"appName\":\"Demo\","
		  "\"launchTime\":\"2026-01-31T08:00:00Z\","
		  "\"endTime\":\"2026-01-31T09:30:00Z\"}",
		  "crash", false },
		// It ended before, or began later.
		{ "{\"isExit\":1,\"pid\":7,\"appName\":\"Demo\","
		  "\"endTime\":\"2026-01-31T08:58:00Z\"}",
		  NULL, false },
		{ "{\"isExit\":1,\"pid\":7,\"appName\":\"Demo\","
		  "\"LaunchTime\":\"1769850006.00\"}",
		  NULL, false },
		{ "{\"isExit\":1,\"pid\":7,\"appName\":\"Demo\","
		  "\"LaunchTime\":\"1769850004.00\"}",
		  "crash", false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_reported(crash_at("2026-01-31 09:00:00 +0000", *state),
		                cases[i].record, cases[i].reason,
		                cases[i].likely, *state);
}

static void reports_of_other_ends_have_their_reasons(void **state)
{
	static const struct {
		const char *space;
		const char *indicator;
		uint64_t code;
		const char *state;
		const char *reason; ///< NULL: it says nothing
		bool likely;
	} cases[] = {
		{ "KSCRASH", "memory_limit", 0, "active", "FOOM", true },
		{ "KSCRASH", "memory_limit", 0, "background", "BOOM", true },
		{ "KSCRASH", "memory_pressure", 0, "?", "unknown", true },
		{ "KSCRASH", "thermal", 0, "active", "system kill", true },
		{ "KSCRASH", "os_upgrade", 0, "active", "OS update", true },
		{ "KSCRASH", "unexplained", 0, "active", NULL, false },
		{ "FRONTBOARD", NULL, 0x8badf00d, "active", "stall kill",
		  false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct report *report = crash_at(NULL, *state);

		report->exception = (struct report_exception){
			.type = cases[i].code ? "EXC_CRASH" : NULL,
			.signal = cases[i].code ? "SIGKILL" : NULL,
		};
		report->termination.namespace_name = cases[i].space;
		report->termination.indicator = cases[i].indicator;
		report->termination.code = cases[i].code;
		report->termination.has_code = cases[i].code;
		assert_reported(
		        report,
		        arena_printf(*state,
		                     "{\"appState\":\"%s\",\"pid\":7,"
		                     "\"appName\":\"Demo\",\"isExit\":0}",
		                     cases[i].state),
		        cases[i].reason, cases[i].likely, *state);
	}
}

static void a_log_yields_to_a_crash_report_but_not_to_a_guess(void **state)
{
	static const bool guesses[] = { false, true };
	const struct session *session = read_sessions(
	        "{\"isExit\":0,\"pid\":7,\"appName\":\"Demo\"}", *state);

	for (size_t i = 0; i < ARRAY_SIZE(guesses); i++) {
		SCOPED(exit_index_release) struct exit_index reports = { 0 };
		SCOPED(exit_kills_release) struct exit_kills kills = { 0 };
		struct report *report = crash_at(NULL, *state);
		struct exit_answer answer;

		if (guesses[i]) {
			report->exception = (struct report_exception){ 0 };
			report->termination.namespace_name = "KSCRASH";
			report->termination.indicator = "thermal";
		}
		exit_reports_add(&reports, report, NULL, "r", *state);
		exit_kills_add(&kills, read_log("\"frontmost\"", *state), "l");
		exit_reason_of_session(session, *state, &answer);
		exit_reason_use_reports(session, &reports, *state, &answer);
		exit_reason_use_logs(session, &kills, *state, &answer);
		assert_string_equal(exit_reason_name(answer.reason),
		                    guesses[i] ? "FOOM" : "crash");
	}
}

static void a_flag_that_is_not_known_is_kept_to_be_named(void **state)
{
	const struct session *session = read_sessions(
	        "{\"isExit\":0,\"isRelaunched\":1,\"island\":2,\"is\":3,"
	        "\"isCrashed\":0}",
	        *state);

	assert_int_equal(session->unknown_count, 1);
	assert_string_equal(session->unknown_keys[0], "isRelaunched");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(each_cause_has_its_verdict),
		TEST(the_first_cause_in_order_decides),
		TEST(the_evidence_names_fields_and_values),
		TEST(a_date_is_shown_as_one),
		TEST(a_uuid_is_the_same_however_written),
		TEST(the_newest_of_several_logs_is_likely),
		TEST(a_mistyped_field_is_noted_and_stays_unknown),
		TEST(what_is_no_record_is_refused),
		TEST(arrays_and_lines_and_lists_hold_records),
		TEST(what_is_lost_of_a_file_is_noted_and_the_rest_read),
		TEST(the_first_log_that_fits_is_heeded),
		TEST(a_log_of_the_same_process_overrides_the_rule),
		TEST(the_last_lag_report_of_a_stalled_session_is_marked),
		TEST(a_crash_report_of_the_session_outranks_its_record),
		TEST(reports_of_other_ends_have_their_reasons),
		TEST(a_log_yields_to_a_crash_report_but_not_to_a_guess),
		TEST(a_flag_that_is_not_known_is_kept_to_be_named),
		TEST(a_record_without_ids_takes_the_last_lag_report_if_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
