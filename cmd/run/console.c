#include "cmd/run/console.h"

#include "cmd/run/redaction.h"
#include "formatters/formatter.h"
#include "lib/base/columns.h"
#include "lib/base/number.h"
#include "lib/base/units.h"
#include "lib/base/utf8.h"
#include "lib/base/workflow.h"
#include "lib/model/redact/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static size_t readable(size_t columns)
{
	return columns < CONSOLE_COLUMNS_LEAST ? CONSOLE_COLUMNS_LEAST
	                                       : columns;
}

/** What COLUMNS says comes first: a user may set it, a shell does. */
static size_t terminal_columns(int fd)
{
	const char *said = getenv("COLUMNS");
	struct winsize size;
	uint64_t columns;

	if (said && isatty(fd) && number_decimal(text_from(said), &columns) &&
	    columns && columns <= UINT16_MAX)
		return readable(columns);
	if (ioctl(fd, TIOCGWINSZ, &size) || !size.ws_col)
		return 80;
	return readable(size.ws_col);
}

size_t console_width(void)
{
	return terminal_columns(STDOUT_FILENO);
}

size_t console_columns(const struct console_width *width, const char *output)
{
	if (width->is_given)
		return width->columns ? readable(width->columns) : 0;
	return !output && isatty(STDOUT_FILENO) ? console_width() : 0;
}

/** A paragraph of stderr, without its newline. */
static void add_paragraph(struct str *out, struct text line)
{
	size_t blanks = line.size - text_trim_left(line).size;
	struct columns_lines lines = {
		.out = out,
		.width = isatty(STDERR_FILENO) ? terminal_columns(STDERR_FILENO)
		                               : 0,
		.indent = blanks + 4,
		.column = blanks,
	};

	str_add_repeat(out, ' ', blanks);
	columns_add_text(&lines, text_after(line, blanks));
}

/** In one write, so that lines of others never mix in. */
static void write_safe(struct text lines)
{
	struct workflow workflow = { 0 };
	SCOPED(str_release) struct str safe = { 0 };

	workflow_add(&workflow, &safe, lines);
	fwrite(safe.data, 1, safe.size, stderr);
}

static void write_wrapped(struct text rest)
{
	SCOPED(str_release) struct str out = { 0 };
	struct text line;

	while (text_next_line(&rest, &line)) {
		add_paragraph(&out, line);
		str_add_char(&out, '\n');
	}
	write_safe(str_text(&out));
}

/** A message as it may be seen; in @p arena, or @p message itself. */
static const char *redacted(const char *message, struct arena *arena)
{
	return redaction() ? redact_message(redaction(), message, arena)
	                   : message;
}

void console_write(const struct str *lines)
{
	SCOPED(arena_release) struct arena arena = { 0 };

	write_safe(text_from(redacted(str_cstr(lines), &arena)));
}

void console_explain(const struct str *lines)
{
	SCOPED(arena_release) struct arena arena = { 0 };

	write_wrapped(text_from(redacted(str_cstr(lines), &arena)));
}

static void print_message(const char *kind, const char *message)
{
	SCOPED(str_release) struct str line = { 0 };
	SCOPED(arena_release) struct arena arena = { 0 };
	struct text text = text_from(redacted(message, &arena));

	str_addf(&line, "apmtool: %s", kind);
	// A file of that name is './-'.
	if (text_take(&text, "-:"))
		str_add(&line, "standard input:");
	utf8_add_visible(&line, text);
	str_add_char(&line, '\n');
	write_wrapped(str_text(&line));
}

void console_error(const struct error *err)
{
	print_message("", error_message(err));
}

static void print_formatted(const char *kind, const char *format, va_list args)
        PRINTF_LIKE(2, 0);

static void print_formatted(const char *kind, const char *format, va_list args)
{
	SCOPED(str_release) struct str message = { 0 };

	str_addv(&message, format, args);
	print_message(kind, str_cstr(&message));
}

enum exit_status console_usage(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	print_formatted("", format, args);
	va_end(args);
	return EXIT_USAGE;
}

enum exit_status console_fail(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	print_formatted("", format, args);
	va_end(args);
	return EXIT_ALL_FAILED;
}

void console_warn(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	print_formatted("warning: ", format, args);
	va_end(args);
}

/** `gzip: the gzip data is truncated` says it twice, and errors say it once. */
static bool names_place(const struct notice *note)
{
	struct text text = text_from(note->text);

	return text_take(&text, "the ") && text_take(&text, note->place) &&
	       text_starts(text, " ");
}

static void print_note(const char *kind, const char *before,
                       const struct notice *note)
{
	SCOPED(str_release) struct str message = { 0 };

	str_add(&message, before);
	if (!names_place(note))
		str_addf(&message, "%s: ", note->place);
	str_add(&message, note->text);
	print_message(kind, str_cstr(&message));
}

bool console_notes(const char *before, const struct notice *notes, size_t count,
                   bool quiet)
{
	bool failed = false;

	for (size_t i = 0; i < count; i++) {
		bool is_failure = notes[i].kind == NOTICE_FAILURE;

		failed |= is_failure;
		if (is_failure || !quiet)
			print_note(is_failure ? "" : "warning: ", before,
			           &notes[i]);
	}
	return failed;
}

struct config_places console_config_places(void)
{
	return (struct config_places){
		.named = getenv("APMTOOL_CONFIG"),
		.xdg_config_home = getenv("XDG_CONFIG_HOME"),
		.home = getenv("HOME"),
		.dsym_path = getenv("APMTOOL_DSYM_PATH"),
		.cache = getenv("APMTOOL_CACHE"),
		.xdg_cache_home = getenv("XDG_CACHE_HOME"),
		.automatic = getenv("APMTOOL_AUTO"),
	};
}

enum exit_status console_open_output(const char *path, struct out **ret)
{
	SCOPED(error_drop) struct error *err = out_open(path, ret);

	if (!err)
		return EXIT_DONE;
	console_error(err);
	return EXIT_ENVIRONMENT;
}

enum exit_status console_finish(struct out *out, enum exit_status status)
{
	SCOPED(error_drop) struct error *err = out_close(out);

	if (!err)
		return status;
	console_error(err);
	return EXIT_ENVIRONMENT;
}

enum exit_status console_print(const struct str *text)
{
	struct out *out;
	enum exit_status status = console_open_output(NULL, &out);

	if (status != EXIT_DONE)
		return status;
	out_add_bytes(out, str_cstr(text), text->size);
	return console_finish(out, EXIT_DONE);
}

static const char *format_at(unsigned shapes, size_t index)
{
	const struct formatter *formatter = formatter_of_shapes(shapes, index);

	return formatter ? formatter->name : NULL;
}

const struct option_names console_formats = { .at = format_at };

enum exit_status console_sessions(const char *value, uint64_t ret[2])
{
	struct text text;
	size_t comma;

	if (!value)
		return EXIT_DONE;
	text = text_from(value);
	comma = text_find_char(text, ',');
	if (comma != TEXT_NOWHERE &&
	    number_decimal(text_first(text, comma), &ret[0]) &&
	    number_decimal(text_after(text, comma + 1), &ret[1]) && ret[0] &&
	    ret[1])
		return EXIT_DONE;
	return console_usage("option '--sessions': expected two numbers above "
	                     "0, as 1200,900, found '%s'",
	                     value);
}

bool console_percent(const char *value, unsigned *ret_hundredths)
{
	struct text number = text_from(value);
	uint64_t hundredths;

	if (text_ends(number, "%"))
		number = text_first(number, number.size - 1);
	// What would be rounded away is a slip.
	if (strpbrk(value, "eE") ||
	    text_after(number, text_find_char(number, '.')).size > 3 ||
	    !units_read(number, 100, 10000, &hundredths))
		return false;
	*ret_hundredths = (unsigned)hundredths;
	return true;
}

enum exit_status console_refuse(struct error *err)
{
	enum error_code code = error_code(err);

	console_error(err);
	error_free(err);
	switch (code) {
	case ERROR_SHORTAGE:
		return EXIT_ENVIRONMENT;
	case ERROR_USAGE:
	case ERROR_OS:
	case ERROR_NOT_FOUND:
		return EXIT_USAGE;
	default:
		return EXIT_ALL_FAILED;
	}
}

static bool is_for_terminal(unsigned color, const char *output)
{
	const char *term = getenv("TERM");

	if (color != COLOR_AUTO)
		return color == COLOR_ALWAYS;
	return !output && isatty(1) && term && strcmp(term, "dumb") != 0;
}

enum exit_status console_colors(unsigned color, const char *format,
                                const char *output, struct format_options *ret)
{
	if (color == COLOR_ALWAYS && strcmp(format, "text") != 0)
		return console_usage("option '--color always' needs text "
		                     "output, but the format is %s",
		                     format);
	ret->terminal = is_for_terminal(color, output);
	ret->color = ret->terminal &&
	             (color == COLOR_ALWAYS || !getenv("NO_COLOR"));
	return EXIT_DONE;
}
