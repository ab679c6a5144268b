// SPDX-License-Identifier: MIT
#include "cmd/console.h"

#include "cmd/progress.h"
#include "cmd/run/options.h"
#include "cmd/run/redaction.h"
#include "lib/base/columns.h"
#include "lib/base/number.h"
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
	return columns < TEXT_COLUMNS_MIN ? TEXT_COLUMNS_MIN : columns;
}

/** COLUMNS wins: it may be set by the user, or by the shell. */
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

void console_describe(struct command_line *line, struct config_places *places)
{
	*places = (struct config_places){
		.named = getenv("APMTOOL_CONFIG"),
		.xdg_config_home = getenv("XDG_CONFIG_HOME"),
		.home = getenv("HOME"),
		.dsym_path = getenv("APMTOOL_DSYM_PATH"),
		.cache = getenv("APMTOOL_CACHE"),
		.xdg_cache_home = getenv("XDG_CACHE_HOME"),
		.automatic = getenv("APMTOOL_AUTO"),
	};
	line->notices = &console;
	line->places = places;
	line->columns = isatty(STDOUT_FILENO) ? console_width() : 0;
	line->is_typed = isatty(STDIN_FILENO);
}

// Notices

/** Add a paragraph of stderr, without its newline. */
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

static void add_wrapped(struct str *out, struct text rest)
{
	struct text line;

	while (text_next_line(&rest, &line)) {
		add_paragraph(out, line);
		str_add_char(out, '\n');
	}
}

/** Text to print, redacted if requested; in @p arena, or @p text itself. */
static const char *redacted(const char *text, struct arena *arena)
{
	return redaction() ? redact_message(redaction(), text, arena) : text;
}

/** Add commands unchanged, with redacted names. */
static void add_lines(struct str *out, const char *lines, struct arena *arena)
{
	struct text rest = text_from(redacted(lines, arena));
	struct text line;

	while (text_next_line(&rest, &line)) {
		utf8_add_visible(out, line);
		str_add_char(out, '\n');
	}
}

static bool are_lines(const char *next)
{
	return next && next[0] == ' ';
}

/** Add `place: text`, and the advice if it is a clause. */
static void add_message(struct str *out, const struct notice *notice,
                        struct arena *arena)
{
	SCOPED(str_release) struct str message = { 0 };
	struct text text;

	if (notice->place)
		str_addf(&message, "%s: ", notice->place);
	str_add(&message, notice->text);
	if (notice->next && !are_lines(notice->next))
		str_addf(&message, ": %s", notice->next);
	text = text_from(redacted(str_cstr(&message), arena));
	// A file named '-' is given as './-'.
	if (text_take(&text, "-:"))
		str_add(out, "standard input:");
	utf8_add_visible(out, text);
	if (notice->details || are_lines(notice->next))
		str_add_char(out, ':');
	str_add_char(out, '\n');
}

static const char *const labels[] = {
	[NOTICE_WARNING] = "warning: ",
	[NOTICE_FAILURE] = "",
	[NOTICE_MISSING_SYMBOLS] = "warning: ",
	[NOTICE_NOTE] = "note: ",
};

/** A process has one stderr. */
static struct {
	bool is_on;
	struct str text;
} kept;

/** Destination of notices. */
static struct {
	bool is_log; ///< else stderr
	FILE *log;   ///< NULL: drop
} target;

/** Max bytes kept; further notices are printed at once. */
#define KEPT_BYTES_MAX (UINT64_C(64) << 10)

static bool is_kept(const struct notice *notice)
{
	return kept.is_on && notice->kind != NOTICE_FAILURE &&
	       kept.text.size < KEPT_BYTES_MAX;
}

void console_keep_for_end(void)
{
	kept.is_on = isatty(STDOUT_FILENO) && isatty(STDERR_FILENO);
}

void console_keep(void)
{
	kept.is_on = true;
}

void console_use_log(FILE *log)
{
	target.is_log = true;
	target.log = log;
	if (log && kept.text.size) {
		fwrite(kept.text.data, 1, kept.text.size, log);
		fflush(log);
	}
	kept.is_on = false;
	str_release(&kept.text);
}

void console_end(void)
{
	progress_clear();
	if (kept.text.size) {
		fputc('\n', stderr);
		fwrite(kept.text.data, 1, kept.text.size, stderr);
	}
	kept.is_on = false;
	str_release(&kept.text);
}

static void write_notice(struct text lines)
{
	if (!target.is_log) {
		progress_clear();
		fwrite(lines.data, 1, lines.size, stderr);
	} else if (target.log) {
		fwrite(lines.data, 1, lines.size, target.log);
		fflush(target.log);
	}
}

/** In one write, so that lines are not mixed with those of others. */
static void print(const struct notice *notice, void *context UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	SCOPED(str_release) struct str message = { 0 };
	SCOPED(str_release) struct str lines = { 0 };
	SCOPED(str_release) struct str safe = { 0 };
	struct workflow workflow = { 0 };

	str_addf(&message, "apmtool: %s", labels[notice->kind]);
	add_message(&message, notice, &arena);
	if (notice->details)
		add_lines(&message, notice->details, &arena);
	add_wrapped(&lines, str_text(&message));
	// Commands to paste are not wrapped.
	if (are_lines(notice->next))
		add_lines(&lines, notice->next, &arena);
	workflow_add(&workflow, &safe, str_text(&lines));
	if (is_kept(notice)) {
		str_add_text(&kept.text, str_text(&safe));
		return;
	}
	write_notice(str_text(&safe));
}

static void show_progress(size_t done, size_t total, const char *what,
                          void *context UNUSED)
{
	if (what)
		progress_update(done, total, what);
	else
		progress_clear();
}

const struct notices console = { .take = print, .progress = show_progress };

// Colors

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
		return notice_usage(&console,
		                    "option '--color always' needs text "
		                    "output, but the format is %s",
		                    format);
	ret->terminal = is_for_terminal(color, output);
	ret->color = ret->terminal &&
	             (color == COLOR_ALWAYS || !getenv("NO_COLOR"));
	return EXIT_DONE;
}
