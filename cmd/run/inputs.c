#include "cmd/run/inputs.h"

#include "lib/base/file.h"
#include "lib/base/mem.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void add_input(struct inputs *inputs, const char *path,
                      uint64_t size_bytes, bool from_folder)
{
	MEM_GROW(inputs->items, inputs->count, inputs->cap);
	inputs->items[inputs->count++] = (struct input){
		.path = mem_strndup(path, strlen(path)),
		.size_bytes = size_bytes,
		.from_folder = from_folder,
	};
}

static struct error *add_found(const struct file_found *found, void *context)
{
	add_input(context, found->path, found->size_bytes, true);
	return NULL;
}

static void add_operand(struct inputs *inputs, const char *operand)
{
	size_t unreadable = 0;
	struct error *err;
	struct stat info;

	if (!strcmp(operand, "-") || stat(operand, &info)) {
		add_input(inputs, operand, 0, false);
		return;
	}
	if (!S_ISDIR(info.st_mode)) {
		add_input(inputs, operand, (uint64_t)info.st_size, false);
		return;
	}
	err = file_walk(operand, add_found, inputs, &unreadable);
	if (!err && unreadable)
		err = error_new(ERROR_OS,
		                "'%s': %zu %s below it left out: unreadable, "
		                "or too deep",
		                operand, unreadable,
		                unreadable > 1 ? "directories" : "directory");
	if (!err)
		return;
	command_error(err);
	error_free(err);
	inputs->failed++;
}

static bool same_file(const char *a, const char *b)
{
	struct stat x, y;

	return !stat(a, &x) && !stat(b, &y) && S_ISREG(x.st_mode) &&
	       x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

enum exit_status inputs_gather(const struct command_line *line,
                               const char *output, struct inputs *ret)
{
	if (!line->operand_count) {
		if (isatty(0))
			return command_usage("no report given");
		add_input(ret, "-", 0, false);
	}
	for (size_t i = 0; i < line->operand_count; i++)
		add_operand(ret, line->operands[i]);
	for (size_t i = 0; output && i < ret->count; i++) {
		if (!same_file(output, ret->items[i].path))
			continue;
		return command_usage("output '%s' is also an input", output);
	}
	return EXIT_DONE;
}

void inputs_release(struct inputs *inputs)
{
	for (size_t i = 0; i < inputs->count; i++)
		free(inputs->items[i].path);
	free(inputs->items);
}

/** Where all work, some of these folders may not be there. */
static void add_configured(struct symbol_store *store,
                           const struct config *config)
{
	SCOPED(arena_release) struct arena arena = { 0 };

	for (size_t i = 0; i < config->dsym_count; i++) {
		const struct config_folder *folder = &config->dsym[i];
		struct error *err = symbol_store_add_path(store, folder->path);

		if (!err)
			continue;
		command_warn("%s: %s",
		             config_source_text(&folder->source, &arena),
		             error_message(err));
		error_free(err);
	}
}

static void print_problems(struct symbol_store *store)
{
	const struct uuid_problem *problems;
	size_t count;

	problems = uuid_index_problems(symbol_store_index(store), &count);
	for (size_t i = 0; i < count; i++)
		command_warn("%s: %s", problems[i].path, problems[i].reason);
}

typedef struct error *(*add_path)(struct symbol_store *store, const char *path);

static enum exit_status add_list(struct symbol_store *store,
                                 const struct option_list *paths, add_path add)
{
	for (size_t i = 0; i < paths->count; i++) {
		struct error *err = add(store, paths->items[i]);

		if (err)
			return command_refuse(err);
	}
	return EXIT_DONE;
}

enum exit_status symbols_add_paths(struct symbol_store *store,
                                   const struct symbol_paths *paths,
                                   const struct config *config)
{
	enum exit_status status;

	status = add_list(store, &paths->dsym, symbol_store_add_path);
	if (status == EXIT_DONE)
		status = add_list(store, &paths->symbols,
		                  symbol_store_add_system);
	if (status == EXIT_DONE)
		status = add_list(store, &paths->bcsymbolmap,
		                  symbol_store_add_maps);
	if (status != EXIT_DONE)
		return status;
	add_configured(store, config);
	print_problems(store);
	return EXIT_DONE;
}
