// SPDX-License-Identifier: MIT
/**
 * Settings from files and the environment, each with its origin.
 *
 * Two YAML files are read: the user's, `apmtool/config.yaml` in the directory
 * of XDG_CONFIG_HOME, and the project's, `.apmtool.yaml` in the working
 * directory or the nearest parent that has one. apmtool-config(1) says what
 * they may hold and where the search ends. The environment beats the project,
 * which beats the user; lists are joined in that order. Options of the command
 * line, which beat all, are the commands' business.
 *
 * Files are untrusted: they name directories and patterns and nothing else. No
 * variable is expanded, nothing is included. The user's own file alone may name
 * a program, which gets symbols (`fetch`).
 *
 *     SCOPED(config_release) struct config config;
 *
 *     if ((err = config_load(&places, &config)))
 *             return err;
 */
#ifndef APMTOOL_LIB_CONFIG_CONFIG_H
#define APMTOOL_LIB_CONFIG_CONFIG_H

#include "lib/base/arena.h"
#include "lib/base/error.h"
#include "lib/base/limit.h"
#include "lib/config/pattern.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** The name of a project's file. */
#define CONFIG_PROJECT_FILE ".apmtool.yaml"
#define CONFIG_JOBS_MAX     256
/** That the cache may take, by default. */
#define CONFIG_CACHE_BYTES ((uint64_t)2 << 30)
/** And what was fetched. */
#define CONFIG_FETCH_BYTES ((uint64_t)2 << 30)

/**
 * What a project's file may do with a setting. It may come from whoever sent
 * the reports: each setting has to say.
 */
enum config_power {
	CONFIG_ADDS = 1, ///< to a list; what it names is searched in a budget
	CONFIG_CHOOSES,  ///< how something looks
	CONFIG_LOWERS,   ///< a resource: never above what it is without it
	CONFIG_NOTHING,  ///< refused
};

struct config_field {
	const char *name;
	enum config_power power; ///< of a project
};

/** The fields of a config file; ends with a NULL name. */
extern const struct config_field config_fields[];

/** Who set a value; later ones beat earlier ones. */
enum config_origin {
	CONFIG_DEFAULT,
	CONFIG_USER,
	CONFIG_PROJECT,
	CONFIG_NAMED, ///< the file that APMTOOL_CONFIG names
	CONFIG_ENVIRONMENT,
	CONFIG_OPTION, ///< of the command line
};

struct config_source {
	enum config_origin origin;
	const char *name; ///< file or variable; NULL for a default
	unsigned line;    ///< of the file; 0: the source has no lines
};

/** A path to search for dSYMs. */
struct config_directory {
	const char *path; ///< as to be opened
	struct config_source source;
};

/** Decides for the images that match all of its patterns. */
struct config_rule {
	struct config_pattern image;  ///< name
	struct config_pattern path;   ///< without a leading `/private`
	struct config_pattern bundle; ///< bundle identifier
	bool is_app;
	struct config_source source;
};

/** `OLD=NEW`, of base/source_path.h. */
struct config_path_rule {
	const char *text;
	struct config_source source;
};

/** What a file says of a resource. */
struct config_resource {
	uint64_t value;
	struct config_source source; ///< CONFIG_DEFAULT: no file says anything
	bool user_allows;            ///< a project's, and the user's is as high
	/** Where a project asks for more, in vain; without a line: nowhere. */
	struct config_source ignored;
};

struct config_file {
	const char *path;
	enum config_origin origin;
};

struct config {
	struct arena arena; ///< holds all that follows
	struct config_directory *dsym;
	size_t dsym_count;
	size_t dsym_cap;
	struct config_rule *rules; ///< the first that matches decides
	size_t rule_count;
	size_t rule_cap;
	struct config_path_rule *path_rules; ///< the first that matches decides
	size_t path_rule_count;
	size_t path_rule_cap;
	struct config_resource jobs; ///< 0: as many as there are processors
	/** Directory of the cache; NULL: there is none to be used. */
	const char *cache;
	struct config_source cache_source;
	struct config_source cache_asked;   ///< where a project turns it on
	struct config_source cache_ignored; ///< and in vain
	struct config_resource cache_bytes; ///< 0: CONFIG_CACHE_BYTES
	const char *store;                  ///< a symbol store; NULL: none
	struct config_source store_source;
	/** A program that gets symbols, and its arguments; NULL: none. */
	const char **fetch;
	size_t fetch_count;
	size_t fetch_cap;
	struct config_source fetch_source;
	struct config_resource fetch_bytes; ///< 0: CONFIG_FETCH_BYTES
	unsigned style;                     ///< index into config_styles
	struct config_source style_source;

	struct config_resource limits[LIMITS]; ///< by enum limit_id

	struct config_file *files; ///< that were read
	size_t file_count;
	size_t file_cap;
	/** Nothing is used that was not named. */
	bool no_auto;
	/** What was ignored, and why. */
	const char **warnings;
	size_t warning_count;
	size_t warning_cap;
};

/**
 * A config file in which all fields are commented out, each with what it is
 * for; its first line is a comment for who reads the source.
 */
extern const char config_template_text[];

/** `full`, `partial`, …: ends with NULL. */
extern const char *const config_styles[];

/** Where to look: the environment, as the caller found it. NULL is unset. */
struct config_places {
	/** APMTOOL_CONFIG: read only this file; `none`: no file at all. */
	const char *named;
	const char *xdg_config_home; ///< ignored unless absolute
	const char *home;            ///< ignored unless absolute
	const char *dsym_path;       ///< APMTOOL_DSYM_PATH
	/** APMTOOL_CACHE: an absolute path; `none`: nothing is kept. */
	const char *cache;
	const char *xdg_cache_home; ///< ignored unless absolute
	const char *automatic;      ///< APMTOOL_AUTO: `0`: look for nothing
};

/**
 * The directory of the cache by the environment alone, as config_load() has it:
 * for commands that read no config.
 *
 * @return In @p arena; NULL where there is none.
 */
const char *config_cache_path(const struct config_places *places,
                              struct arena *arena);

/**
 * Read the files and the environment.
 *
 * @param ret  Set in any case, to be released; after a failure it holds what
 *             was read before.
 * @return An ERROR_CONFIG or ERROR_LIMIT for a file that is found and cannot be
 *         used, with the place in it; an ERROR_OS for a named one that cannot
 *         be read.
 */
MUST_CHECK struct error *config_load(const struct config_places *places,
                                     struct config *ret);

/**
 * Of a user's and a project's file the lower value of a resource counts, and a
 * project alone cannot set one above the default, or more jobs than there are
 * processors. What it asks beyond that is ignored, with a warning each.
 */
void config_check_resources(struct config *config);

/** Add a warning, which is copied. */
void config_warn(struct config *config, const char *format, ...)
        PRINTF_LIKE(2, 3);

/**
 * Set the limits that the files name, but for those of the command line.
 * Whoever reads something calls it before.
 */
void config_apply_limits(const struct config *config);

void config_release(struct config *config);

/** `default`, `.apmtool.yaml:3`, `APMTOOL_DSYM_PATH`; lives in @p arena. */
const char *config_source_text(const struct config_source *source,
                               struct arena *arena);
/** `default`, `user`, `project`, `named`, `environment`. */
const char *config_origin_name(enum config_origin origin);

#endif
