// SPDX-License-Identifier: MIT
#include "cmd/run/inputs.h"

#include "cmd/run/notices.h"
#include "lib/base/file.h"
#include "lib/base/file_walk.h"
#include "lib/base/mem.h"
#include "lib/base/str.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SYMBOLICATED "LocallySymbolicated"

static void add_input(struct inputs *inputs, const char *path,
                      uint64_t size_bytes, bool from_directory)
{
	MEM_GROW(inputs->items, inputs->count, inputs->cap);
	inputs->items[inputs->count++] = (struct input){
		.path = mem_strndup(path, strlen(path)),
		.size_bytes = size_bytes,
		.from_directory = from_directory,
	};
}

/**
 * Does Xcode's bundle of a crash (.xccrashpoint) also have the symbolicated
 * report? It is in a directory next to the logs or below them.
 */
static bool is_symbolicated_beside(const char *path)
{
	static const char *const places[] = { "", "../" };
	struct text name = text_from(text_base_cstr(path));
	struct text above =
	        text_first(text_from(path), strlen(path) - name.size);

	if (text_find(above, ".xccrashpoint/") == TEXT_NOWHERE ||
	    text_ends(above, "/" SYMBOLICATED "/"))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		SCOPED(str_release) struct str other = { 0 };

		str_add_text(&other, above);
		str_addf(&other, "%s" SYMBOLICATED "/%s", places[i], name.data);
		if (!access(str_cstr(&other), R_OK))
			return true;
	}
	return false;
}

static struct error *add_found(const struct file_found *found, void *context)
{
	if (is_symbolicated_beside(found->path))
		return NULL;
	add_input(context, found->path, found->size_bytes, true);
	return NULL;
}

static void add_operand(struct inputs *inputs, const char *operand,
                        const struct command_line *line)
{
	struct error *err, *skipped;
	struct stat info;

	if (!strcmp(operand, "-") || stat(operand, &info)) {
		add_input(inputs, operand, 0, false);
		return;
	}
	if (!S_ISDIR(info.st_mode)) {
		add_input(inputs, operand, (uint64_t)info.st_size, false);
		return;
	}
	inputs->several = true;
	err = file_walk(operand, add_found, inputs, &skipped);
	if (err)
		error_free(skipped);
	else
		err = skipped;
	if (!err)
		return;
	inputs->is_short |= error_code(err) == ERROR_SHORTAGE;
	notice_error(line->notices, NULL, err);
	error_free(err);
	inputs->failed++;
}

/** Remove the files below @p path and warn with their number. */
static void leave_out(struct inputs *inputs, const char *path,
                      const struct notices *notices)
{
	size_t size = strlen(path);
	size_t kept = 0;

	for (size_t i = 0; i < inputs->count; i++) {
		struct input *item = &inputs->items[i];

		if (item->from_directory && !strncmp(item->path, path, size) &&
		    item->path[size] == '/')
			free(item->path);
		else
			inputs->items[kept++] = *item;
	}
	if (kept < inputs->count)
		notice_warn(notices, path,
		            "not searched: the output goes there");
	inputs->count = kept;
}

/**
 * Skip outputs in an input directory: the next run would read them, and write
 * them again under other names.
 */
static enum exit_status leave_out_outputs(const struct command_line *line,
                                          const char *output, bool quiet,
                                          struct inputs *inputs)
{
	SCOPED(mem_drop) char *target = realpath(output, NULL);
	struct stat info;

	if (!target || stat(target, &info) || !S_ISDIR(info.st_mode))
		return EXIT_DONE;
	for (size_t i = 0; i < line->operand_count; i++) {
		const char *operand = line->operands[i];
		SCOPED(mem_drop) char *full = realpath(operand, NULL);
		SCOPED(str_release) struct str below = { 0 };
		struct text rest = text_from(target);

		// All paths start with the root's, which ends with a slash.
		if (!full ||
		    (strcmp(full, "/") != 0 && !text_take(&rest, full)))
			continue;
		if (!strcmp(full, target))
			return notice_usage(line->notices,
			                    "output '%s' is also an input: "
			                    "choose another directory",
			                    output);
		if (rest.data[0] != '/')
			continue;
		// As in file_walk().
		str_addf(&below, "%s%.*s", operand,
		         TEXT_ARGS(text_after(
		                 rest, text_ends(text_from(operand), "/"))));
		leave_out(inputs, str_cstr(&below),
		          quiet ? NULL : line->notices);
	}
	return EXIT_DONE;
}

enum exit_status inputs_gather(const struct command_line *line,
                               const char *output, bool quiet,
                               struct inputs *ret)
{
	size_t stdin_count = 0;

	// Standard output, even if a file is named `-`.
	if (output && !strcmp(output, "-"))
		output = NULL;
	if (!line->operand_count) {
		if (line->is_typed)
			return notice_usage(line->notices, "no report given");
		add_input(ret, "-", 0, false);
	}
	ret->several = line->operand_count > 1;
	for (size_t i = 0; i < line->operand_count; i++) {
		if (!strcmp(line->operands[i], "-") && stdin_count++)
			return notice_usage(line->notices,
			                    "standard input can be read only "
			                    "once: one '-' too many");
		add_operand(ret, line->operands[i], line);
	}
	if (ret->is_short)
		return EXIT_ENVIRONMENT;
	if (output && leave_out_outputs(line, output, quiet, ret) != EXIT_DONE)
		return EXIT_USAGE;
	for (size_t i = 0; output && i < ret->count; i++) {
		if (!file_is_same(output, ret->items[i].path))
			continue;
		return notice_usage(line->notices,
		                    "output '%s' is also an input", output);
	}
	return EXIT_DONE;
}

void inputs_release(struct inputs *inputs)
{
	for (size_t i = 0; i < inputs->count; i++)
		free(inputs->items[i].path);
	free(inputs->items);
	*inputs = (struct inputs){ 0 };
}
