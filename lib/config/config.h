// SPDX-License-Identifier: MIT
/**
 * Settings from files and the environment, each with its origin.
 *
 * Two YAML files are read: the user's, `apmtool/config.yaml` in the directory
 * of XDG_CONFIG_HOME, and the project's, `.apmtool.yaml` in the working
 * directory or its nearest parent that has one (apmtool-config(1)). The
 * environment overrides the project, which overrides the user; lists are joined
 * in that order. Commands apply their options, which override all.
 *
 * Files are untrusted: they only name directories and patterns. Variables are
 * not expanded, nothing is included. Only the user's own file may name a
 * program, which fetches symbols (`fetch`).
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

/** Name of a project's file. */
#define CONFIG_PROJECT_FILE ".apmtool.yaml"
#define CONFIG_JOBS_MAX     256
/** Default max size of the cache. */
#define CONFIG_CACHE_BYTES ((uint64_t)2 << 30)
/** And what was fetched. */
#define CONFIG_FETCH_BYTES ((uint64_t)2 << 30)

/**
 * How a project's file may change a setting. The file may come from the sender
 * of the reports, so each setting has a rule.
 */
enum config_power {
	/** add to a list; directories are searched within a budget */
	CONFIG_ADDS = 1,
	CONFIG_CHOOSES, ///< choose how output looks
	/** reduce a resource: never above its value without the file */
	CONFIG_LOWERS,
	CONFIG_NOTHING, ///< refused
};

struct config_field {
	const char *name;
	enum config_power power; ///< what a project's file may do
};

/** The fields of a config file; ends with a NULL name. */
extern const struct config_field config_fields[];

/** Origin of a value; later ones override earlier ones. */
enum config_origin {
	CONFIG_DEFAULT,
	CONFIG_USER,
	CONFIG_PROJECT,
	CONFIG_NAMED, ///< file of APMTOOL_CONFIG
	CONFIG_ENVIRONMENT,
	CONFIG_OPTION, ///< of the command line
};

struct config_source {
	enum config_origin origin;
	const char *name; ///< file or variable; NULL for a default
	unsigned line;    ///< of the file; 0: no lines
};

/** A path to search for dSYMs. */
struct config_directory {
	const char *path; ///< ready to open
	struct config_source source;
};

/** Applies to images that match all of its patterns. */
struct config_rule {
	struct config_pattern image;  ///< name
	struct config_pattern path;   ///< without a leading `/private`
	struct config_pattern bundle; ///< bundle identifier
	bool is_app;
	struct config_source source;
};

/** `OLD=NEW`, see base/source_path.h. */
struct config_path_rule {
	const char *text;
	struct config_source source;
};

/** The value of a resource in files. */
struct config_resource {
	uint64_t value;
	struct config_source source; ///< CONFIG_DEFAULT: in no file
	bool user_allows; ///< from the project, and the user's is as high
	/**
	 * Where a project asked for more, which was ignored; line 0: nowhere.
	 */
	struct config_source ignored;
};

struct config_file {
	const char *path;
	enum config_origin origin;
};

struct config {
	struct arena arena; ///< owns all members
	struct config_directory *dsym;
	size_t dsym_count;
	size_t dsym_cap;
	struct config_rule *rules; ///< the first match wins
	size_t rule_count;
	size_t rule_cap;
	struct config_path_rule *path_rules; ///< the first match wins
	size_t path_rule_count;
	size_t path_rule_cap;
	struct config_resource jobs; ///< 0: number of processors
	/** Directory of the cache; NULL: no cache. */
	const char *cache;
	struct config_source cache_source;
	struct config_source cache_asked;   ///< where a project turns it on
	struct config_source cache_ignored; ///< where that was ignored
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

	struct config_file *files; ///< files that were read
	size_t file_count;
	size_t file_cap;
	/** Use only files that were named. */
	bool no_auto;
	/** Settings that were ignored, and why. */
	const char **warnings;
	size_t warning_count;
	size_t warning_cap;
};

/**
 * A config file with all fields commented out and explained; its first line is
 * a comment about the source file.
 */
extern const char config_template_text[];

/** `full`, `partial`, …: ends with NULL. */
extern const char *const config_styles[];

/** The environment variables that matter; NULL if unset. */
struct config_places {
	/** APMTOOL_CONFIG: read only this file; `none`: no file. */
	const char *named;
	const char *xdg_config_home; ///< ignored unless absolute
	const char *home;            ///< ignored unless absolute
	const char *dsym_path;       ///< APMTOOL_DSYM_PATH
	/** APMTOOL_CACHE: an absolute path; `none`: no cache. */
	const char *cache;
	const char *xdg_cache_home; ///< ignored unless absolute
	const char *automatic;      ///< APMTOOL_AUTO: `0`: no automatic search
};

/**
 * The directory of the cache from the environment alone, as in config_load();
 * for commands that read no config.
 *
 * @return In @p arena; NULL if there is none.
 */
const char *config_cache_path(const struct config_places *places,
                              struct arena *arena);

/**
 * Read the files and the environment.
 *
 * @param ret  Always set, must be released; after a failure it has the values
 *             read before.
 * @return An ERROR_CONFIG or ERROR_LIMIT for an unusable file, with the place
 * in it; an ERROR_OS for a named file that cannot be read.
 */
MUST_CHECK struct error *config_load(const struct config_places *places,
                                     struct config *ret);

/**
 * Of user's and project's file the lower value of a resource wins. A project
 * alone cannot exceed the default, or the number of processors for jobs. Higher
 * values are ignored with a warning.
 */
void config_check_resources(struct config *config);

/** Add a warning; the text is copied. */
void config_warn(struct config *config, const char *format, ...)
        PRINTF_LIKE(2, 3);

/**
 * Set the limits of the files, except those of the command line. Call it before
 * reading inputs.
 */
void config_apply_limits(const struct config *config);

void config_release(struct config *config);

/** `default`, `.apmtool.yaml:3`, `APMTOOL_DSYM_PATH`; in @p arena. */
const char *config_source_text(const struct config_source *source,
                               struct arena *arena);
/** `default`, `user`, `project`, `named`, `environment`. */
const char *config_origin_name(enum config_origin origin);

#endif
