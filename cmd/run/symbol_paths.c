// SPDX-License-Identifier: MIT
#include "cmd/run/symbol_paths.h"

#include "lib/base/file.h"
#include "lib/symbols/fetch/fetch.h"
#include "lib/symbols/image_files.h"
#include "lib/symbols/index/uuid_catalog.h"

#include <unistd.h>

/** A project's file may be any file: quote nothing of it. */
static void warn_unsearched(const struct notices *notices,
                            const struct config_directory *directory,
                            const struct error *err)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	SCOPED(str_release) struct str reason = { 0 };

	if (directory->source.origin == CONFIG_PROJECT) {
		str_add(&reason, "dsym: ");
		error_add_unnamed(err, directory->path, &reason);
	} else {
		str_add(&reason, error_message(err));
	}
	notice_warn(notices, config_source_text(&directory->source, &arena),
	            "%s", str_cstr(&reason));
}

/** A config file is for all projects: some paths may not exist. */
static void add_configured(const struct notices *notices,
                           struct symbol_store *store,
                           const struct config *config)
{
	// A project's paths are not trusted.
	struct file_budget budget = FILE_BUDGET;

	for (size_t i = 0; i < config->dsym_count; i++) {
		const struct config_directory *directory = &config->dsym[i];
		struct error *err =
		        directory->source.origin == CONFIG_PROJECT
		                ? symbol_store_add_found(store, directory->path,
		                                         &budget)
		                : symbol_store_add_path(store, directory->path);

		if (err)
			warn_unsearched(notices, directory, err);
		error_free(err);
	}
}

/** Fetch only if files may be cached. */
static void use_fetch(struct symbol_store *store,
                      const struct symbol_paths *paths,
                      const struct config *config)
{
	const struct fetch_settings settings = {
		.command = config->fetch,
		.count = config->fetch_count,
		.cache = config->cache,
		.limit_bytes = config->fetch_bytes.value
		                       ? config->fetch_bytes.value
		                       : CONFIG_FETCH_BYTES,
	};

	if (config->fetch_count && config->cache && !paths->no_cache)
		symbol_store_use_fetch(store, fetch_new(&settings));
}

/** Add the config's store, after those of the command line. */
static void add_configured_store(const struct notices *notices,
                                 struct symbol_store *store,
                                 const struct config *config)
{
	SCOPED(arena_release) struct arena arena = { 0 };

	if (!config->store)
		return;
	if (file_is_directory(config->store))
		symbol_store_add_layout(store, config->store);
	else
		notice_warn(notices,
		            config_source_text(&config->store_source, &arena),
		            "store '%s': not a directory", config->store);
}

static void give_problems(const struct notices *notices,
                          struct symbol_store *store)
{
	const struct uuid_problem *problems;
	size_t count;

	problems = uuid_index_problems(symbol_store_index(store), &count);
	for (size_t i = 0; i < count; i++)
		notice_warn(notices, problems[i].path, "%s",
		            problems[i].reason);
}

typedef struct error *(*add_path)(struct symbol_store *store, const char *path);

static enum exit_status add_list(const struct notices *notices,
                                 struct symbol_store *store,
                                 const struct option_list *paths, add_path add)
{
	for (size_t i = 0; i < paths->count; i++) {
		struct error *err = add(store, paths->items[i]);

		if (err)
			return notice_refuse(notices, err);
	}
	return EXIT_DONE;
}

struct cache_directory *symbols_open_cache(const struct config *config)
{
	uint64_t bytes = config->cache_bytes.value ? config->cache_bytes.value
	                                           : CONFIG_CACHE_BYTES;

	return config->cache ? cache_directory_new(config->cache, bytes) : NULL;
}

bool symbols_are_indexed(const struct symbol_paths *paths,
                         const struct config *config)
{
	SCOPED(str_release) struct str path = { 0 };

	if (paths->no_cache || !config->cache)
		return false;
	str_addf(&path, "%s/" UUID_CATALOG_NAME, config->cache);
	return !access(str_cstr(&path), R_OK);
}

static enum exit_status add_store(const struct notices *notices,
                                  struct symbol_store *store, const char *path)
{
	if (!file_is_directory(path))
		return notice_refuse(notices,
		                     error_new(ERROR_USAGE,
		                               "store '%s': not a directory",
		                               path));
	symbol_store_add_layout(store, path);
	return EXIT_DONE;
}

enum exit_status symbols_add_paths(const struct notices *notices,
                                   struct symbol_store *store,
                                   const struct symbol_paths *paths,
                                   const struct config *config, bool quiet)
{
	enum exit_status status =
	        add_list(notices, store, &paths->dsym, symbol_store_add_path);
	if (status == EXIT_DONE)
		status = add_list(notices, store, &paths->symbols,
		                  symbol_store_add_system);
	if (status == EXIT_DONE)
		status = add_list(notices, store, &paths->bcsymbolmap,
		                  symbol_store_add_maps);
	for (size_t i = 0; status == EXIT_DONE && i < paths->store.count; i++)
		status = add_store(notices, store, paths->store.items[i]);
	if (status != EXIT_DONE)
		return status;
	add_configured(quiet ? NULL : notices, store, config);
	add_configured_store(quiet ? NULL : notices, store, config);
	use_fetch(store, paths, config);
	give_problems(quiet ? NULL : notices, store);
	return EXIT_DONE;
}

void symbols_warn_packed(const struct notices *notices,
                         const struct unread_packed *packed)
{
	SCOPED(str_release) struct str text = { 0 };

	unread_packed_describe(packed, &text);
	if (text.size)
		notice_warn(notices, NULL, "%s", str_cstr(&text));
}

static void warn_replaced(const struct notices *notices,
                          const struct symbol_image *image)
{
	const char *reason = image->reason ? image->reason : image->damage;

	if (reason)
		notice_warn(notices, NULL,
		            "'%s': %s; another file of this UUID is used, too",
		            image->path, reason);
	else
		notice_warn(notices, NULL,
		            "'%s': another file of this UUID has more names "
		            "for some addresses: this one may be damaged",
		            image->path);
}

static void warn_unread(const struct notices *notices,
                        const struct symbol_unread *unread)
{
	size_t count = unread->count;
	SCOPED(str_release) struct str more = { 0 };

	if (count > 1)
		str_addf(&more, " and %zu more of its UUID", count - 1);
	notice_warn(notices, NULL,
	            "'%s'%s %s not read and may have more names: "
	            "%zu other files of this UUID were read",
	            unread->first->path, str_cstr(&more),
	            count > 1 ? "are" : "is", unread->read_count);
}

static void warn_files(const struct notices *notices,
                       const struct symbol_store *store)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct symbol_image **replaced;
	const struct symbol_unread *unread;
	size_t count;

	replaced = symbol_store_replaced(store, &arena, &count);
	for (size_t i = 0; i < count; i++)
		warn_replaced(notices, replaced[i]);
	unread = symbol_store_unread(store, &arena, &count);
	for (size_t i = 0; i < count; i++)
		warn_unread(notices, &unread[i]);
}

enum exit_status symbols_status(const struct notices *notices,
                                const struct symbol_store *store, bool quiet,
                                enum exit_status status)
{
	const struct error *fault = symbol_store_catalog_fault(store);
	size_t unfetched;
	const char *reason = symbol_store_fetch_problem(store, &unfetched);

	if (reason && !quiet)
		notice_warn(notices, NULL,
		            "fetch: nothing for %zu UUID%s, of which the first "
		            "is %s",
		            unfetched, text_plural(unfetched), reason);
	if (fault && !quiet)
		notice_warn_error(notices, NULL, fault);
	if (!quiet)
		warn_files(notices, store);
	if (!symbol_store_has_shortage(store))
		return status;
	notice_advise(notices, "try again, with fewer --jobs",
	              "names are missing because the system had no memory, "
	              "descriptor or process left");
	return EXIT_ENVIRONMENT;
}

bool symbol_path_is_bundle(const char *path)
{
	static const char *const endings[] = { ".dSYM",      ".xcarchive",
		                               ".app",       ".appex",
		                               ".framework", ".xcframework" };
	struct text name = text_from(path);

	while (text_ends(name, "/"))
		name.size--;
	for (size_t i = 0; i < ARRAY_SIZE(endings); i++)
		if (text_ends_nocase(name, endings[i]))
			return true;
	return false;
}
