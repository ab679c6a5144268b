// SPDX-License-Identifier: MIT
#include "lib/config/config.h"

#include "lib/base/file.h"
#include "lib/base/limit.h"
#include "lib/base/mem.h"
#include "lib/base/str.h"
#include "lib/config/file.h"
#include "lib/text/yaml.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/** Max directories to search. */
#define DIRECTORIES_MAX 64

static bool is_absolute(const char *path)
{
	return path && path[0] == '/';
}

static const char *home_of(const struct config_places *places)
{
	return is_absolute(places->home) ? places->home : NULL;
}

/** Read an existing file. */
static struct error *read_file(const struct config_places *places,
                               const char *path, enum config_origin origin,
                               struct config *config)
{
	struct config_input input = {
		.path = path,
		.home = home_of(places),
		.origin = origin,
	};
	// One byte over the limit, to detect larger files.
	size_t room = limit_get(LIMIT_CONFIG_FILE) + 1;
	SCOPED(mem_drop) char *data = mem_alloc(room);
	struct text text = { .data = data };
	struct error *err;

	// Refuses FIFOs and devices, which a foreign directory may contain.
	err = origin == CONFIG_PROJECT
	              ? file_peek_found(path, 0, data, room, &text.size)
	              : file_peek(path, 0, data, room, &text.size);
	if (err)
		return err;
	ARENA_GROW(&config->arena, config->files, config->file_count,
	           config->file_cap);
	config->files[config->file_count++] = (struct config_file){
		.path = arena_strdup(&config->arena, path),
		.origin = origin,
	};
	return config_read_text(&input, text, config);
}

static struct error *read_user_file(const struct config_places *places,
                                    struct config *config)
{
	SCOPED(str_release) struct str path = { 0 };

	if (is_absolute(places->xdg_config_home))
		str_add(&path, places->xdg_config_home);
	else if (home_of(places))
		str_addf(&path, "%s/.config", places->home);
	else
		return NULL;
	str_add(&path, "/apmtool/config.yaml");
	if (access(str_cstr(&path), F_OK))
		return NULL;
	return error_as_config(
	        read_file(places, str_cstr(&path), CONFIG_USER, config));
}

/** The same file or directory? */
static bool is_same(const struct stat *a, const char *path)
{
	struct stat b;

	return path && !stat(path, &b) && a->st_dev == b.st_dev &&
	       a->st_ino == b.st_ino;
}

/**
 * Is @p directory (`` or `../../`) where the search ends: the root of a
 * repository, the home directory, the root of the file system?
 */
static bool is_last_directory(const char *directory, const char *home)
{
	SCOPED(str_release) struct str path = { 0 };
	struct stat here;

	str_addf(&path, "%s.git", directory);
	if (!access(str_cstr(&path), F_OK))
		return true;
	str_clear(&path);
	str_addf(&path, "%s.", directory);
	if (stat(str_cstr(&path), &here) || is_same(&here, home))
		return true;
	str_clear(&path);
	str_addf(&path, "%s..", directory);
	return is_same(&here, str_cstr(&path));
}

/**
 * In a directory like /tmp any user can plant a file for others who work there.
 * In a container, the checkout may belong to another user.
 */
static bool is_strangers(const struct stat *file)
{
	struct stat here;

	return file->st_uid != geteuid() && file->st_uid != 0 &&
	       (stat(".", &here) || file->st_uid != here.st_uid);
}

/**
 * Find the nearest project file, which may be of any type; false if there is
 * none.
 */
static bool find_project_file(const char *home, struct str *path,
                              struct stat *ret)
{
	SCOPED(str_release) struct str directory = { 0 };

	for (size_t i = 0; i < DIRECTORIES_MAX; i++) {
		str_clear(path);
		str_addf(path, "%s" CONFIG_PROJECT_FILE, str_cstr(&directory));
		if (!lstat(str_cstr(path), ret))
			return true;
		if (is_last_directory(str_cstr(&directory), home))
			return false;
		str_add(&directory, "../");
	}
	return false;
}

static struct error *read_project_file(const struct config_places *places,
                                       struct config *config)
{
	SCOPED(str_release) struct str path = { 0 };
	struct stat info;

	if (!find_project_file(home_of(places), &path, &info))
		return NULL;
	if (is_strangers(&info)) {
		config_warn(config,
		            "%s: ignored, because it belongs to another user",
		            str_cstr(&path));
		return NULL;
	}
	// A link may lead to a private file.
	if (S_ISLNK(info.st_mode))
		return error_new(ERROR_CONFIG,
		                 "'%s' is a symbolic link: a project's config "
		                 "file must be a file; APMTOOL_CONFIG=FILE "
		                 "reads any other",
		                 str_cstr(&path));
	return error_as_config(
	        read_file(places, str_cstr(&path), CONFIG_PROJECT, config));
}

static void add_environment(struct config *config, const char *value)
{
	static const struct config_source source = {
		.origin = CONFIG_ENVIRONMENT,
		.name = "APMTOOL_DSYM_PATH",
	};
	struct text rest = text_from(value);

	while (rest.size) {
		struct text part = text_first(rest, text_find_char(rest, ':'));
		SCOPED(mem_drop)
		char *path = mem_strndup(part.data, part.size);

		rest = text_after(rest, part.size + 1);
		if (part.size)
			config_add_directory(config, path, &source);
	}
}

const char *config_cache_path(const struct config_places *places,
                              struct arena *arena)
{
	if (places->cache && places->cache[0])
		return is_absolute(places->cache)
		               ? arena_strdup(arena, places->cache)
		               : NULL;
	if (is_absolute(places->xdg_cache_home))
		return arena_printf(arena, "%s/apmtool",
		                    places->xdg_cache_home);
	if (home_of(places))
		return arena_printf(arena, "%s/.cache/apmtool", places->home);
	return NULL;
}

static struct error *set_cache(const struct config_places *places,
                               struct config *config)
{
	config->cache = config_cache_path(places, &config->arena);
	if (!places->cache || !places->cache[0])
		return NULL;
	config->cache_source = (struct config_source){
		.origin = CONFIG_ENVIRONMENT,
		.name = "APMTOOL_CACHE",
	};
	if (config->cache || !strcmp(places->cache, "none"))
		return NULL;
	return error_new(ERROR_CONFIG,
	                 "APMTOOL_CACHE: expected an absolute path or none, "
	                 "found '%s'",
	                 places->cache);
}

static struct error *set_automatic(const char *value, struct config *config)
{
	if (!value || !value[0] || !strcmp(value, "1"))
		return NULL;
	config->no_auto = !strcmp(value, "0");
	return config->no_auto
	               ? NULL
	               : error_new(ERROR_USAGE,
	                           "APMTOOL_AUTO: expected 0 or 1, found '%s'",
	                           value);
}

struct error *config_load(const struct config_places *places,
                          struct config *ret)
{
	struct error *err;

	*ret = (struct config){ 0 };
	err = set_cache(places, ret);
	if (!err)
		err = set_automatic(places->automatic, ret);
	if (err)
		return err;
	if (places->dsym_path)
		add_environment(ret, places->dsym_path);
	if (places->named && !strcmp(places->named, "none"))
		return NULL;
	if (places->named && places->named[0])
		return error_prefix(
		        read_file(places, places->named, CONFIG_NAMED, ret),
		        "APMTOOL_CONFIG");
	err = read_project_file(places, ret);
	if (!err)
		err = read_user_file(places, ret);
	if (!err)
		config_check_resources(ret);
	return err;
}

void config_release(struct config *config)
{
	for (size_t i = 0; i < config->rule_count; i++) {
		regex_free(config->rules[i].image.regex);
		regex_free(config->rules[i].path.regex);
		regex_free(config->rules[i].bundle.regex);
	}
	arena_release(&config->arena);
	*config = (struct config){ 0 };
}

const char *config_source_text(const struct config_source *source,
                               struct arena *arena)
{
	if (!source->name)
		return config_origin_name(source->origin);
	if (!source->line)
		return source->name;
	return arena_printf(arena, "%s:%u", source->name, source->line);
}

const char *config_origin_name(enum config_origin origin)
{
	static const char *const names[] = {
		[CONFIG_DEFAULT] = "default",
		[CONFIG_USER] = "user",
		[CONFIG_PROJECT] = "project",
		[CONFIG_NAMED] = "named",
		[CONFIG_ENVIRONMENT] = "environment",
		[CONFIG_OPTION] = "option",
	};

	return names[origin];
}
