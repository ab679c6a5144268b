/*
 * Text reports that are no crash reports: panics, spindumps and
 * microstackshots (formats.md 3.5, 7.9), the output of analysis tools, text
 * below the header line of an `.ips` file (3.2), and our own text form of a
 * report of another kind. The facts of their heads are read; all lines are
 * carried along as they stand.
 */
#include "lib/base/number.h"
#include "lib/base/str.h"
#include "parsers/bug_types.h"
#include "parsers/crash_text_repair.h"
#include "parsers/ips_header.h"
#include "parsers/panic_text.h"
#include "parsers/parser.h"

#include <string.h>

// What names a form stands early in it.
#define LOOK_BYTES ((size_t)64 << 10)
#define LOOK_LINES 200

#define FIELDS_MAX 100
#define LABEL_MAX  40

// What it is

/** A text that has a line that begins with each of these (NULL: no more). */
struct text_form {
	const char *begins[2];
	const char *what; ///< with its article
	enum bug_body body;
	/** Crash reports may have such lines too, but not these forms. */
	bool may_be_crash;
};

static const struct text_form forms[] = {
	{ { "Date/Time:", "Data Source:" },
	  "a spindump",
	  BUG_BODY_TREE,
	  false },
	{ { "Date/Time:", "Steps:" }, "a spindump", BUG_BODY_TREE, false },
	{ { "Date/Time:", "Heaviest stack" },
	  "a spindump",
	  BUG_BODY_TREE,
	  false },
	{ { "Process:", "Num samples:" },
	  "a part of a spindump",
	  BUG_BODY_TREE,
	  false },
	{ { "Analysis of sampling ", NULL },
	  "an output of 'sample'",
	  BUG_BODY_TREE,
	  false },
	{ { "Call graph:", NULL },
	  "an output of 'sample'",
	  BUG_BODY_TREE,
	  false },
	{ { "leaks Report Version:", NULL },
	  "an output of 'leaks'",
	  BUG_BODY_TEXT,
	  false },
	// backboardd's stackshots up to iOS 8.
	{ { "Exception Code:", "Frontmost process PID:" },
	  "a stackshot",
	  BUG_BODY_TEXT,
	  false },
	{ { PANIC_TEXT_MARK, NULL },
	  "a kernel panic log",
	  BUG_BODY_TEXT,
	  true },
	// As formatters/crash_text_other.c writes it.
	{ { "Report Kind:", NULL }, NULL, BUG_BODY_TEXT, true },
};

/** As text_starts(), at the price of one comparison for most lines. */
static bool begins(struct text line, const char *prefix)
{
	return line.size && line.data[0] == prefix[0] &&
	       text_starts(line, prefix);
}

/** A report with images is read for its frames, whatever it tells of. */
static bool has_images(struct text in)
{
	return text_find(in, "\nBinary Images:") != TEXT_NOWHERE;
}

static const struct text_form *find_form(struct text in)
{
	struct text rest = text_first(in, LOOK_BYTES);
	struct text line;
	unsigned seen[2] = { 0 };

	for (size_t i = 0; i < LOOK_LINES && text_next_line(&rest, &line);
	     i++) {
		for (size_t k = 0; k < ARRAY_SIZE(forms); k++) {
			const struct text_form *form = &forms[k];

			for (size_t j = 0; j < 2; j++)
				if (!form->begins[j] ||
				    begins(line, form->begins[j]))
					seen[j] |= 1u << k;
			if (seen[0] & seen[1] & 1u << k)
				return form->may_be_crash && has_images(in)
				               ? NULL
				               : form;
		}
	}
	return NULL;
}

/** Text below an `.ips` header whose number is not that of a crash. */
static bool is_log_body(const struct ips_header *header, struct text body)
{
	const struct bug_type *type = bug_type_find(header->bug_type);

	body = text_trim_left(body);
	return body.size && body.data[0] != '{' &&
	       !(type && type->body == BUG_BODY_JETSAM) &&
	       !bug_type_is_crash(header->bug_type) &&
	       !(crash_text_parser.sniff(body) && has_images(body));
}

static bool text_log_sniff(struct text in)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct ips_header header;
	struct text body;

	if (ips_header_line(in, &arena, &header, &body))
		return is_log_body(&header, body) ||
		       (text_trim_left(body).size && find_form(body));
	return find_form(in) != NULL;
}

// The head

struct log_reader {
	struct report *report;
	struct arena *arena;
};

/** `name [pid]`, and what may follow: `[unique pid 696637]`. */
static void read_process(struct report_process_ref *process, struct text value,
                         struct arena *arena)
{
	size_t open = text_find_char(value, '[');
	size_t close = text_find_char(value, ']');

	if (open != TEXT_NOWHERE && close != TEXT_NOWHERE && open < close &&
	    number_decimal(text_after(text_first(value, close), open + 1),
	                   &process->pid)) {
		process->has_pid = true;
		value = text_first(value, open);
	}
	process->name = arena_text(arena, text_trim(value));
}

/** A label whose value is a fact of the report. */
static const struct {
	const char *label;
	size_t offset;
} facts[] = {
	{ "Incident Identifier", offsetof(struct report, incident) },
	{ "CrashReporter Key", offsetof(struct report, reporter_key) },
	{ "Anonymous UUID", offsetof(struct report, reporter_key) },
	{ "Hardware Model", offsetof(struct report, hardware_model) },
	{ "Hardware model", offsetof(struct report, hardware_model) },
	{ "Date/Time", offsetof(struct report, date_time) },
	{ "Date", offsetof(struct report, date_time) },
	{ "Launch Time", offsetof(struct report, launch_time) },
	{ "OS Version", offsetof(struct report, os_version) },
	{ "Report Version", offsetof(struct report, report_version) },
	{ "Report Kind", offsetof(struct report, kind) },
	{ "Command", offsetof(struct report, process.name) },
	{ "Path", offsetof(struct report, path) },
	{ "Identifier", offsetof(struct report, identifier) },
	{ "Version", offsetof(struct report, version) },
	{ "Code Type", offsetof(struct report, code_type) },
	{ "Architecture", offsetof(struct report, code_type) },
	{ "Exception Code", offsetof(struct report, exception.codes) },
};

/** The first of several counts: spindumps go on with other processes. */
static void read_fact(struct log_reader *reader, const char *label,
                      struct text value)
{
	struct report *report = reader->report;
	const char **target;

	if (!strcmp(label, "Process") && !report->process.name)
		read_process(&report->process, value, reader->arena);
	else if (!strcmp(label, "Parent") && !report->parent.name)
		read_process(&report->parent, value, reader->arena);
	else if (!strcmp(label, "PID") && !report->process.has_pid)
		report->process.has_pid =
		        number_decimal(value, &report->process.pid);
	for (size_t i = 0; i < ARRAY_SIZE(facts); i++) {
		if (strcmp(label, facts[i].label) != 0)
			continue;
		target = (const char **)(void *)((char *)report +
		                                 facts[i].offset);
		if (!*target)
			*target = arena_text(reader->arena, value);
	}
}

/** `Label: value`; no sentence, and nothing of a call tree. */
static bool read_label(struct log_reader *reader, struct text line)
{
	size_t colon = text_find_char(text_first(line, LABEL_MAX), ':');
	struct text name;
	struct text value;
	const char *label;

	if (colon == TEXT_NOWHERE || text_is_space(line.data[0]))
		return false;
	name = text_first(line, colon);
	value = text_trim(text_after(line, colon + 1));
	if (!value.size || text_find_char(name, '(') != TEXT_NOWHERE)
		return false;
	label = arena_text(reader->arena, name);
	report_add_field(reader->report, reader->arena, label,
	                 arena_text(reader->arena, value));
	read_fact(reader, label, value);
	return true;
}

/** Behind these nothing is a fact of the report itself. */
static bool ends_head(struct text line)
{
	static const char *const marks[] = { "Heaviest stack", "Powerstats for",
		                             "Call graph:",    "Binary Images:",
		                             "Thread ",        "thread 0x",
		                             "STACK OF " };

	for (size_t i = 0; i < ARRAY_SIZE(marks); i++)
		if (begins(line, marks[i]))
			return true;
	return false;
}

static void read_head(struct log_reader *reader, struct text in)
{
	struct text line;

	in = text_first(in, LOOK_BYTES);
	for (size_t i = 0; i < LOOK_LINES && text_next_line(&in, &line); i++) {
		if (ends_head(line) ||
		    reader->report->field_count == FIELDS_MAX)
			break;
		if (line.size)
			read_label(reader, line);
	}
}

// All of it

static void keep_lines(struct text in, struct report *report,
                       struct arena *arena)
{
	struct crash_text_source source = crash_text_repair(in, arena, report);
	struct text line;
	bool has_cr = false;

	while (crash_text_next_line(&source, &line, &has_cr)) {
		ARENA_GROW(arena, report->lines, report->line_count,
		           report->line_cap);
		report->lines[report->line_count++].text = line.data;
	}
	if (has_cr)
		report_add_note(report, arena, "all lines",
		                "line endings CR LF; read as LF");
}

/** The lines below the first @p skip ones, for those who see no lines. */
static struct text join_lines(const struct report *report, size_t skip,
                              struct arena *arena)
{
	SCOPED(str_release) struct str text = { 0 };

	for (size_t i = skip; i < report->line_count; i++) {
		if (i > skip)
			str_add_char(&text, '\n');
		str_add(&text, report->lines[i].text);
	}
	return text_from(arena_text(arena, text_trim_right(str_text(&text))));
}

static void add_body(struct text body, struct report *report,
                     struct arena *arena)
{
	size_t at = text_find(body, PANIC_TEXT_MARK);
	struct text panic = text_after(body, at);

	if (at == TEXT_NOWHERE) {
		report_add_section(report, arena, "Text", body.data);
		return;
	}
	report->form = "panic";
	report_add_section(report, arena, "Panic String", panic.data);
	panic_text_read(panic, arena, report);
}

static const char *note_of(enum bug_body body, const char *what,
                           struct arena *arena)
{
	if (body == BUG_BODY_TREE)
		return arena_printf(arena,
		                    "%s: its call tree is carried along, not "
		                    "read yet",
		                    what);
	return arena_printf(arena, "%s: its text is carried along, not read",
	                    what);
}

/** What the report is: by its number, else by its form. */
static void name_kind(struct text body, struct report *report,
                      struct arena *arena)
{
	const struct bug_type *type = bug_type_find(report->bug_type);
	const struct text_form *form = find_form(body);
	const char *what = "a report of unknown kind";
	enum bug_body shape = BUG_BODY_TEXT;

	// Our own output: what there is to say was said when it was made.
	if (report->kind)
		return;
	if (form && form->what) {
		what = form->what;
		shape = form->body;
	}
	if (type && type->body != BUG_BODY_CRASH) {
		what = type->what;
		shape = type->body;
	}
	report->kind = bug_type_bare(what);
	if (report->bug_type)
		what = type ? arena_printf(arena, "%s (bug_type %s)", what,
		                           report->bug_type)
		            : bug_type_describe(report->bug_type, arena);
	report_add_note(report, arena, "text", note_of(shape, what, arena));
}

static struct error *text_log_parse(struct text in, struct arena *arena,
                                    struct report **ret)
{
	struct report *report = report_new(arena);
	struct log_reader reader = { .report = report, .arena = arena };
	struct ips_header header = { 0 };
	struct text body;
	bool has_header = ips_header_line(in, arena, &header, &body);

	report->form = text_log_parser.name;
	keep_lines(in, report, arena);
	body = join_lines(report, has_header, arena);
	if (!body.size)
		return error_new(ERROR_FORMAT, "no line of a report in it");
	read_head(&reader, body);
	add_body(body, report, arena);
	ips_header_merge(&header, report);
	name_kind(body, report, arena);
	*ret = report;
	return NULL;
}

const struct parser text_log_parser = {
	.name = "text-log",
	.summary = "panics, spindumps and other text reports; carried along",
	.sniff = text_log_sniff,
	.parse = text_log_parse,
};
