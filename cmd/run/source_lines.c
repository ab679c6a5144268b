// SPDX-License-Identifier: MIT
#include "cmd/run/source_lines.h"

#include "lib/base/file_below.h"
#include "lib/base/str.h"
#include "lib/base/text.h"
#include "lib/base/utf8.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/** Max lines on each side, and max bytes of a line. */
#define LINES_AROUND 3
#define LINE_BYTES   200
/** Max calls of a report, and max excerpts of a batch. */
#define CALLS_MAX    32
#define EXCERPTS_MAX 1000
#define FILE_BYTES   ((size_t)4 << 20)
#define BATCH_BYTES  ((size_t)64 << 20)

struct error *source_lines_open(struct source_lines *lines, const char *root)
{
	if (!root)
		return NULL;
	lines->directory = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (lines->directory < 0)
		return error_new(ERROR_USAGE,
		                 "option '--source-root': '%s' is not a "
		                 "directory that can be read",
		                 root);
	lines->root = root;
	return NULL;
}

void source_lines_close(struct source_lines *lines)
{
	if (lines->root)
		close(lines->directory);
	*lines = (struct source_lines){ 0 };
}

/** The path relative to the root; an absolute one must start with it. */
static const char *path_below(const struct source_lines *lines,
                              const char *path)
{
	size_t size = strlen(lines->root);

	while (size && lines->root[size - 1] == '/')
		size--;
	if (path[0] != '/')
		return path;
	return !strncmp(path, lines->root, size) && path[size] == '/'
	               ? path + size
	               : NULL;
}

static void add_excerpt(struct source_lines *lines, struct text rest,
                        const struct report_call *call, struct arena *arena)
{
	uint32_t first = call->line > LINES_AROUND ? call->line - LINES_AROUND
	                                           : 1;
	const char **texts =
	        arena_array(arena, 2 * LINES_AROUND + 1, sizeof(*texts));
	struct excerpts *to = &lines->excerpts;
	struct text line;
	size_t count = 0;

	for (uint32_t i = 1; i < first && text_next_line(&rest, &line); i++)
		;
	while (first + count <= call->line + LINES_AROUND &&
	       text_next_line(&rest, &line))
		texts[count++] =
		        arena_text(arena, utf8_first(line, LINE_BYTES));
	// The file is of another build than the report.
	if (first + count <= call->line)
		return;
	ARENA_GROW(arena, to->items, to->count, to->cap);
	to->items[to->count++] = (struct excerpt){
		.path = call->path,
		.line = call->line,
		.first = first,
		.lines = texts,
		.count = count,
	};
}

static void read_call(struct source_lines *lines,
                      const struct report_call *call, struct arena *arena)
{
	SCOPED(str_release) struct str text = { 0 };
	const char *path;
	size_t max = lines->bytes_left < FILE_BYTES ? lines->bytes_left
	                                            : FILE_BYTES;

	if (!call->path || !call->has_line || !call->line ||
	    lines->excerpts.count == EXCERPTS_MAX ||
	    excerpts_find(&lines->excerpts, call->path, call->line))
		return;
	path = path_below(lines, call->path);
	if (!path || !file_read_below(lines->directory, path, max, &text))
		return;
	lines->bytes_left -= text.size;
	add_excerpt(lines, str_text(&text), call, arena);
}

static void read_stack(struct source_lines *lines,
                       const struct report_stack *stack, struct arena *arena)
{
	size_t left = CALLS_MAX;

	for (size_t i = 0; i < stack->count; i++)
		for (uint32_t j = 0; j < stack->frames[i].call_count && left;
		     j++, left--)
			read_call(lines, &stack->frames[i].calls[j], arena);
}

void source_lines_read(struct source_lines *lines,
                       struct report *const *reports, size_t count,
                       struct arena *arena)
{
	lines->excerpts = (struct excerpts){ 0 };
	lines->bytes_left = BATCH_BYTES;
	for (size_t i = 0; lines->root && i < count; i++) {
		const struct report_thread *crashed =
		        report_crashed_thread(reports[i]);

		read_stack(lines, &reports[i]->exception_backtrace, arena);
		if (crashed)
			read_stack(lines, &crashed->stack, arena);
	}
}

void source_lines_read_call(struct source_lines *lines,
                            const struct report_call *call, struct arena *arena)
{
	lines->excerpts = (struct excerpts){ 0 };
	if (lines->root && call)
		read_call(lines, call, arena);
}
