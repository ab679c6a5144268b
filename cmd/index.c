// SPDX-License-Identifier: MIT
#include "cmd/command.h"
#include "cmd/console.h"
#include "cmd/progress.h"
#include "cmd/run/output.h"
#include "cmd/run/run.h"
#include "cmd/run/symbol_paths.h"
#include "lib/base/file.h"
#include "lib/base/timestamp.h"
#include "lib/base/units.h"
#include "lib/darwin/cpu.h"
#include "lib/symbols/cache/debug_cache.h"
#include "lib/symbols/cache_verify.h"
#include "lib/symbols/index/catalog_update.h"
#include "lib/symbols/index/store_builds.h"
#include "lib/symbols/index/uuid_catalog.h"
#include "lib/symbols/precache.h"
#include "lib/symbols/store_fill.h"

#include <limits.h>
#include <string.h>
#include <time.h>

struct index_settings {
	struct run_settings run;
	const char *format;
	const char *prune;
	const char *store;
	const char *name;
	const char *version;
	const char *build;
	unsigned keep;
	bool symbols;
	bool list;
	bool verify;
	bool cross_check;
	bool clear;
	bool dry_run;
};

static const struct option options[] = {
	OPT_FLAG(0, "symbols", struct index_settings, symbols,
	         "read the debug information of all dSYMs now, and keep it"),
	OPT_TEXT(0, "store", struct index_settings, store, "<dir>",
	         "copy the symbols into the store <dir>, for --store of other "
	         "commands, instead of indexing them"),
	OPT_TEXT(0, "name", struct index_settings, name, "<app>",
	         "with --store, the name of the app instead of its archive's"),
	OPT_TEXT(0, "app-version", struct index_settings, version, "<version>",
	         "the version of the app, likewise"),
	OPT_TEXT(0, "build", struct index_settings, build, "<build>",
	         "the build number of the app, likewise"),
	OPT_UINT(0, "keep", struct index_settings, keep, 1, UINT_MAX, "<count>",
	         "with --store, remove all but the newest <count> builds of "
	         "each app"),
	OPT_FLAG('l', "list", struct index_settings, list,
	         "list what is indexed"),
	OPT_FLAG(0, "verify", struct index_settings, verify,
	         "check the index and all that is kept"),
	OPT_FLAG(
	        0, "cross-check", struct index_settings, cross_check,
	        "with --verify, read all debug information with libdwarf, too, "
	        "and compare"),
	OPT_TEXT(0, "prune", struct index_settings, prune, "<size>",
	         "remove what was used the longest ago, up to <size>, such as "
	         "500 MB"),
	OPT_FLAG(0, "clear", struct index_settings, clear,
	         "remove the index and all that is kept"),
	OPT_FLAG('n', "dry-run", struct index_settings, dry_run,
	         "print what would be done, but do nothing"),
	OPT_FORMAT(struct index_settings, format, SHAPE_TABLE, "text"),
	OPT_WIDTH(struct index_settings, run.width),
	OPT_JOBS(struct index_settings, run),
	OPT_QUIET(struct index_settings, run),
	OPT_END,
};

static const struct example examples[] = {
	{ "apmtool index samples && "
	  "apmtool symbolicate samples/demo-mac.crash | grep -c feed.cpp",
	  "index a directory once; then no --dsym is needed" },
	{ "apmtool index --symbols --dry-run samples",
	  "count what would be indexed, and read ahead" },
	{ "apmtool index -q samples && apmtool index --list --format csv",
	  "list what is indexed, for a spreadsheet" },
	{ NULL, NULL },
};

/** A run of the command, and the table that it prints. */
struct indexing {
	const struct index_settings *settings;
	struct cache_directory *directory;
	unsigned jobs;
	struct table table;
	struct arena arena;
	size_t failed;  ///< operands, and files below them
	size_t unkept;  ///< read, but not cached
	size_t refused; ///< operands that are missing, or have no symbols
	size_t gone;    ///< paths removed from the index
	size_t away;    ///< missing paths kept in the index
};

static void indexing_release(struct indexing *indexing)
{
	cache_directory_free(indexing->directory);
	arena_release(&indexing->arena);
}

static struct table_cell *add_row(struct indexing *indexing)
{
	return table_add_row(&indexing->table, &indexing->arena);
}

static void add_count(struct indexing *indexing, const char *what,
                      uint64_t count)
{
	struct table_cell *cells = add_row(indexing);

	table_set_text(&cells[0], what);
	table_set_number(&cells[1], count);
}

static const struct table_column count_columns[] = {
	{ .key = "what", .title = "what" },
	{ .key = "count", .title = "count", .kind = TABLE_NUMBER },
};

static void set_table(struct indexing *indexing, const char *name,
                      const struct table_column *columns, size_t count)
{
	indexing->table = (struct table){ .name = name,
		                          .columns = columns,
		                          .column_count = count };
}

/** Report an unreadable index. Takes @p err. */
static enum exit_status refuse_index(struct error *err)
{
	notice_error(&console, NULL, err);
	error_free(err);
	return EXIT_ALL_FAILED;
}

/** Report a failed removal. Takes @p err; NULL is allowed. */
static enum exit_status end_removal(struct error *err, enum exit_status status)
{
	if (!err)
		return status;
	notice_error(&console, NULL, err);
	error_free(err);
	return EXIT_ENVIRONMENT;
}

// Progress

static void show_files(size_t files, void *context)
{
	struct indexing *indexing = context;

	if (!indexing->settings->run.quiet)
		progress_update(files, 0, "files");
}

static void show_symbols(size_t done, size_t total, void *context)
{
	struct indexing *indexing = context;

	if (!indexing->settings->run.quiet)
		progress_update(done, total, "slices");
}

static void fail(const char *path, const char *reason, void *context)
{
	struct indexing *indexing = context;

	indexing->failed++;
	notice_fail(&console, path, "%s", reason);
}

/** A path removed on purpose would otherwise fail each time. */
static void take_problem(struct indexing *indexing,
                         const struct catalog_problem *problem)
{
	const struct index_settings *settings = indexing->settings;
	const char *fate =
	        settings->dry_run
	                ? "any more, and would be dropped from the index"
	                : "any more, and dropped from the index";

	if (problem->absence == CATALOG_PRESENT) {
		fail(problem->path, problem->reason, indexing);
		return;
	}
	indexing->gone += problem->absence == CATALOG_GONE;
	indexing->away += problem->absence == CATALOG_AWAY;
	if (problem->absence == CATALOG_AWAY)
		fate = "now; the index keeps the path and looks there again, "
		       "as for a volume that is not mounted (--clear forgets "
		       "all paths)";
	// Missing volumes are reported once.
	if (!settings->run.quiet &&
	    !(problem->absence == CATALOG_AWAY && problem->was_absent))
		notice_warn(&console, problem->path, "not there %s", fate);
}

/** A name or a line may be wrong, but the entry is kept. */
static void show_difference(const char *path, const char *text, void *context)
{
	const struct indexing *indexing = context;

	if (!indexing->settings->run.quiet)
		notice_warn(&console, path,
		            "apmtool's reader and libdwarf differ: %s", text);
}

static void read_symbols(struct indexing *indexing,
                         const struct catalog_update *update)
{
	struct precache precache = {
		.directory = indexing->directory,
		.jobs = indexing->jobs,
		.dry_run = indexing->settings->dry_run,
		.problem = fail,
		.difference = show_difference,
		.progress = show_symbols,
		.context = indexing,
	};

	precache_run(&precache, update->items, update->count);
	add_count(indexing,
	          precache.dry_run ? "symbols to read" : "symbols read",
	          precache.made);
	add_count(indexing, "symbols kept already", precache.present);
	// Damage is only found by reading.
	add_count(indexing,
	          precache.dry_run ? "symbols that cannot be opened"
	                           : "symbols that cannot be read",
	          precache.failed);
	if (precache.unkept)
		add_count(indexing, "symbols that cannot be kept",
		          precache.unkept);
	indexing->unkept = precache.unkept;
}

static struct error *take_path(const char *path, void *context)
{
	return catalog_update_add(context, path);
}

/** Walk the operands, or the paths of the index. */
static enum exit_status search(struct indexing *indexing,
                               const struct command_line *line,
                               struct catalog_update *update)
{
	size_t failed;

	if (!line->operand_count &&
	    (!update->old || !uuid_catalog_root_count(update->old)))
		return notice_usage(&console, "nothing is indexed yet: name a "
		                              "directory with dSYMs");
	failed = run_each_operand(line, take_path, update);
	if (failed && failed == line->operand_count)
		return EXIT_ALL_FAILED;
	if (!line->operand_count)
		catalog_update_add_known(update);
	progress_clear();
	for (size_t i = 0; i < update->problem_count; i++)
		take_problem(indexing, &update->problems[i]);
	indexing->failed += failed;
	indexing->refused = failed;
	return EXIT_DONE;
}

static void add_changes(struct indexing *indexing,
                        const struct catalog_update *update)
{
	add_count(indexing, "files", update->file_count);
	add_count(indexing, "slices", update->count);
	add_count(indexing, "new", update->counts.added);
	add_count(indexing, "changed", update->counts.changed);
	add_count(indexing, "unchanged", update->counts.same);
	add_count(indexing, "removed", update->counts.removed);
	if (indexing->gone)
		add_count(indexing, "paths dropped", indexing->gone);
	if (indexing->away)
		add_count(indexing, "paths absent", indexing->away);
}

/** An unusable index is replaced by one of the operands. */
static enum exit_status begin(struct indexing *indexing,
                              const struct command_line *line,
                              struct catalog_update *update)
{
	struct error *err = catalog_update_begin(update, indexing->directory);

	if (err && !line->operand_count)
		return refuse_index(err);
	if (err && !indexing->settings->run.quiet)
		notice_warn_error(&console, NULL, err);
	error_free(err);
	return EXIT_DONE;
}

static enum exit_status fail_of_nothing(const struct catalog_update *update)
{
	return notice_fail(&console, NULL,
	                   "none of the paths that were indexed before holds "
	                   "symbols now: name others%s",
	                   update->root_count ? ", or forget them with --clear"
	                                      : "");
}

static enum exit_status build(struct indexing *indexing,
                              const struct command_line *line)
{
	SCOPED(catalog_update_release)
	struct catalog_update update = { .progress = show_files,
		                         .context = indexing };
	SCOPED(error_drop) struct error *err = NULL;
	enum exit_status status = begin(indexing, line, &update);

	if (status == EXIT_DONE)
		status = search(indexing, line, &update);
	if (status != EXIT_DONE)
		return status;
	if (indexing->settings->dry_run)
		catalog_update_finish(&update);
	else
		err = catalog_update_write(&update, indexing->directory);
	if (err) {
		notice_error(&console, NULL, err);
		return EXIT_ENVIRONMENT;
	}
	set_table(indexing, "index", count_columns, ARRAY_SIZE(count_columns));
	add_changes(indexing, &update);
	if (indexing->settings->symbols)
		read_symbols(indexing, &update);
	progress_clear();
	if (!indexing->settings->run.quiet)
		symbols_warn_packed(&console, &update.packed);
	if (!line->operand_count && !update.file_count)
		return fail_of_nothing(&update);
	if (line->operand_count &&
	    indexing->refused + update.empty_count == line->operand_count)
		return EXIT_ALL_FAILED;
	if (indexing->unkept)
		return EXIT_ENVIRONMENT;
	return indexing->failed ? EXIT_SOME_FAILED : EXIT_DONE;
}

// A store

static struct error *take_stored_path(const char *path, void *context)
{
	return uuid_index_add_place(context, path);
}

static void warn(const char *path, const char *text, void *context)
{
	const struct indexing *indexing = context;

	if (!indexing->settings->run.quiet)
		notice_warn(&console, path, "%s", text);
}

/** Add a row unless its count is 0. */
static void add_rare(struct indexing *indexing, const char *what, size_t count)
{
	if (count)
		add_count(indexing, what, count);
}

static void add_copies(struct indexing *indexing, const struct store_fill *fill)
{
	add_count(indexing, "slices and maps found", fill->found);
	add_count(indexing, "copied", fill->counts[STORE_NEW]);
	add_count(indexing, "in the store already", fill->counts[STORE_THERE]);
	add_rare(indexing, "not copied: the store has others of their UUIDs",
	         fill->counts[STORE_CLASH]);
	add_rare(indexing, "not copied: damaged in the store",
	         fill->counts[STORE_DAMAGED]);
	add_rare(indexing, "not copied: no UUID, or of no use in a store",
	         fill->counts[STORE_PASSED]);
	add_rare(indexing, "not copied: cannot be read or written",
	         fill->failed);
	add_count(indexing, "debug information read ahead", fill->made);
	add_count(indexing, "debug information read before", fill->present);
	add_count(indexing, "builds recorded", fill->builds);
}

/** Copy the symbols of the operands into the store. */
static enum exit_status fill_store(struct indexing *indexing,
                                   const struct command_line *line)
{
	const struct index_settings *settings = indexing->settings;
	struct store_fill fill = {
		.store = settings->store,
		.index = uuid_index_new(),
		.app = settings->name,
		.version = settings->version,
		.build = settings->build,
		.now_s = time(NULL),
		.jobs = indexing->jobs,
		.fault = fail,
		.warning = warn,
		.context = indexing,
	};
	size_t refused = run_each_operand(line, take_stored_path, fill.index);
	const struct uuid_problem *problems;
	size_t count;

	problems = uuid_index_problems(fill.index, &count);
	for (size_t i = 0; i < count; i++)
		fail(problems[i].path, problems[i].reason, indexing);
	store_fill_run(&fill);
	uuid_index_free(fill.index);
	set_table(indexing, "store", count_columns, ARRAY_SIZE(count_columns));
	add_copies(indexing, &fill);
	if (!fill.found && !refused)
		notice_fail(&console, NULL, "no symbols were found");
	if (!fill.counts[STORE_NEW] && !fill.counts[STORE_THERE])
		return EXIT_ALL_FAILED;
	return refused || indexing->failed ? EXIT_SOME_FAILED : EXIT_DONE;
}

static void add_removed(const char *path, uint64_t size_bytes, void *context)
{
	struct indexing *indexing = context;
	struct table_cell *cells = add_row(indexing);

	table_set_text(&cells[0], arena_strdup(&indexing->arena, path));
	table_set_number(&cells[1], size_bytes);
}

/** Remove old builds from the store. */
static enum exit_status prune_store(struct indexing *indexing)
{
	const struct index_settings *settings = indexing->settings;
	static const struct table_column columns[] = {
		{ .key = "removed", .title = "removed", .kind = TABLE_PATH },
		{ .key = "size_bytes", .title = "bytes", .kind = TABLE_NUMBER },
	};
	struct store_pruning pruning = { .store = settings->store,
		                         .keep = settings->keep,
		                         .dry_run = settings->dry_run,
		                         .removed = add_removed,
		                         .context = indexing };
	struct error *err;

	if (!file_is_directory(settings->store))
		return notice_usage(&console, "store '%s': not a directory",
		                    settings->store);
	set_table(indexing, "store-pruned", columns, ARRAY_SIZE(columns));
	err = store_prune(&pruning);
	indexing->table.summary = arena_printf(
	        &indexing->arena,
	        "builds: %zu, removed: %zu, files removed: %zu", pruning.builds,
	        pruning.removed_builds, pruning.removed_files);
	return end_removal(err, EXIT_DONE);
}

// Lists

/** `whole`: its debug information is cached; or NULL. */
static const char *kept(const struct indexing *indexing,
                        const struct uuid *uuid)
{
	SCOPED(str_release) struct str name = { 0 };
	SCOPED(str_release) struct str path = { 0 };
	struct file_stamp stamp;

	debug_cache_add_name(uuid, &name);
	cache_directory_add_path(indexing->directory, str_cstr(&name), &path);
	return file_stamp_read(str_cstr(&path), &stamp) ? "whole" : NULL;
}

enum {
	ITEM_UUID,
	ITEM_ARCH,
	ITEM_TYPE,
	ITEM_VERSION,
	ITEM_SIZE,
	ITEM_MODIFIED,
	ITEM_KEPT,
	ITEM_PATH,
	ITEM_COLUMNS,
};

static void list_item(struct indexing *indexing,
                      const struct catalog_item *item)
{
	const struct uuid_entry entry = { .kind = item->kind, .at = item->at };
	bool is_map = item->kind == SYMBOL_KIND_MAP;
	struct table_cell *cells = add_row(indexing);
	struct timestamp_text time =
	        timestamp_utc(item->stamp.modified_ns / 1000000000, 'T');
	char uuid[UUID_TEXT_SIZE];

	table_set_text(
	        &cells[ITEM_UUID],
	        arena_strdup(&indexing->arena, uuid_format(&item->uuid, uuid)));
	if (!is_map)
		table_set_text(&cells[ITEM_ARCH], uuid_entry_arch(&entry));
	table_set_text(&cells[ITEM_TYPE],
	               is_map ? "bcsymbolmap" : uuid_entry_type(&entry));
	table_set_text(&cells[ITEM_VERSION],
	               arena_strdup(&indexing->arena, item->version));
	table_set_number(&cells[ITEM_SIZE],
	                 is_map ? item->stamp.size
	                        : uuid_entry_facts(&entry).size_bytes);
	table_set_text(&cells[ITEM_MODIFIED],
	               arena_printf(&indexing->arena, "%sZ", time.text));
	table_set_text(&cells[ITEM_KEPT], kept(indexing, &item->uuid));
	table_set_text(&cells[ITEM_PATH],
	               arena_strdup(&indexing->arena, item->path));
}

static enum exit_status list(struct indexing *indexing)
{
	static const struct table_column columns[ITEM_COLUMNS] = {
		[ITEM_UUID] = { "uuid", "UUID", TABLE_TEXT },
		[ITEM_ARCH] = { "arch", "arch", TABLE_TEXT },
		[ITEM_TYPE] = { "type", "type", TABLE_TEXT },
		[ITEM_VERSION] = { "version", "version", TABLE_TEXT },
		[ITEM_SIZE] = { "size_bytes", "bytes", TABLE_NUMBER },
		[ITEM_MODIFIED] = { "modified", "modified", TABLE_TEXT },
		[ITEM_KEPT] = { "kept", "kept", TABLE_TEXT },
		[ITEM_PATH] = { "path", "path", TABLE_PATH },
	};
	static const char *const spare[] = { "modified", "size_bytes", "kept",
		                             "version", NULL };
	struct uuid_catalog *catalog = NULL;
	struct error *err =
	        uuid_catalog_open_whole(indexing->directory, &catalog);
	size_t count = catalog ? uuid_catalog_count(catalog) : 0;
	struct catalog_item item;

	if (err)
		return refuse_index(err);
	set_table(indexing, "symbol-index", columns, ARRAY_SIZE(columns));
	indexing->table.spare = spare;
	for (size_t i = 0; i < count; i++)
		if (uuid_catalog_item(catalog, i, &item))
			list_item(indexing, &item);
	uuid_catalog_close(catalog);
	if (count)
		return EXIT_DONE;
	if (!indexing->settings->run.quiet)
		notice_warn(&console, NULL,
		            "nothing is indexed: 'apmtool index <path>...' "
		            "indexes the dSYMs below a path");
	return EXIT_ANSWER_NO;
}

static void add_fault(const char *path, const char *reason, void *context)
{
	struct indexing *indexing = context;
	struct table_cell *cells = add_row(indexing);

	table_set_text(&cells[0], arena_strdup(&indexing->arena, reason));
	table_set_text(&cells[1], arena_strdup(&indexing->arena, path));
}

static enum exit_status verify(struct indexing *indexing)
{
	static const struct table_column columns[] = {
		{ .key = "fault", .title = "fault", .kind = TABLE_PROSE },
		{ .key = "path", .title = "file", .kind = TABLE_PATH },
	};
	struct cache_verify run = { .directory = indexing->directory,
		                    .compares_readers =
		                            indexing->settings->cross_check,
		                    .fault = add_fault,
		                    .context = indexing };
	struct error *err;
	const char *stuck;

	set_table(indexing, "index-faults", columns, ARRAY_SIZE(columns));
	err = cache_verify_run(&run);
	stuck = err ? arena_printf(&indexing->arena,
	                           ", entries that cannot be removed: %zu",
	                           run.stuck)
	            : "";
	indexing->table.summary = arena_printf(
	        &indexing->arena, "slices: %zu, entries: %zu, faults: %zu%s",
	        run.slice_count, run.entry_count, run.fault_count, stuck);
	return end_removal(err, run.fault_count ? EXIT_ANSWER_NO : EXIT_DONE);
}

/** Remove entries down to @p limit_bytes, and the index, if @p all. */
static enum exit_status shrink(struct indexing *indexing, uint64_t limit_bytes,
                               bool all)
{
	SCOPED(cache_directory_unlock) int lock = -1;
	struct cache_pruned pruned;
	struct error *err = NULL;
	enum exit_status status;
	bool removed = false;

	// Without the lock, a concurrent update would write the index again.
	// The lock is a file of the directory.
	if (all && file_is_directory(cache_directory_path(indexing->directory)))
		err = cache_directory_lock(indexing->directory, &lock);
	if (err)
		return end_removal(err, EXIT_DONE);
	status = end_removal(cache_directory_prune(indexing->directory,
	                                           limit_bytes, &pruned),
	                     EXIT_DONE);
	if (all && uuid_catalog_has_mark(indexing->directory)) {
		err = cache_directory_remove(indexing->directory,
		                             UUID_CATALOG_NAME);
		removed = !err;
		status = end_removal(err, status);
	}
	set_table(indexing, "index", count_columns, ARRAY_SIZE(count_columns));
	add_count(indexing, "entries", pruned.count);
	add_count(indexing, "entries removed", pruned.removed);
	add_count(indexing, "bytes removed", pruned.removed_bytes);
	if (pruned.stuck)
		add_count(indexing, "entries that cannot be removed",
		          pruned.stuck);
	if (all)
		add_count(indexing, "indexes removed", removed);
	return status;
}

/**
 * @param modes  That do not apply to a store.
 */
static enum exit_status check_store(const struct command_line *line, int modes)
{
	const struct index_settings *settings = line->settings;
	bool names = settings->name || settings->version || settings->build;

	if (!settings->store)
		return notice_usage(&console,
		                    "--name, --app-version, --build and --keep "
		                    "need --store");
	if (!settings->store[0])
		return notice_usage(&console,
		                    "option '--store': expected a directory, "
		                    "found ''");
	// With option and operand exchanged, a store would grow in an archive.
	if (symbol_path_is_bundle(settings->store))
		return notice_usage(
		        &console,
		        "option '--store': '%s' holds symbols, and is "
		        "no store: --store DIR %s",
		        settings->store, settings->store);
	if (settings->keep && (line->operand_count || names))
		return notice_usage(&console,
		                    "--keep takes no files and directories: "
		                    "remove old builds in a run of its own");
	if (modes || settings->symbols || settings->cross_check ||
	    (settings->dry_run && !settings->keep) ||
	    (!settings->keep && !line->operand_count))
		return notice_usage(&console,
		                    "option '--store' takes files and "
		                    "directories, or --keep and --dry-run, and "
		                    "none of --symbols, --list, --verify, "
		                    "--prune and --clear");
	return EXIT_DONE;
}

static enum exit_status check_settings(const struct command_line *line)
{
	const struct index_settings *settings = line->settings;
	int modes = settings->list + settings->verify + settings->clear +
	            (settings->prune != NULL);

	if (settings->store || settings->keep || settings->name ||
	    settings->version || settings->build)
		return check_store(line, modes);
	if (modes > 1)
		return notice_usage(&console,
		                    "only one of --list, --verify, --prune "
		                    "and --clear can be given");
	if (modes && (line->operand_count || settings->symbols))
		return notice_usage(&console,
		                    "--list, --verify, --prune and --clear "
		                    "take no directories and no --symbols");
	if (settings->cross_check && !settings->verify)
		return notice_usage(&console, "--cross-check needs --verify");
	if (!line->config->cache &&
	    line->config->cache_source.origin == CONFIG_DEFAULT)
		return notice_usage(&console,
		                    "there is no cache: HOME is unset or not "
		                    "an absolute path; set it, or "
		                    "APMTOOL_CACHE to a directory");
	if (!line->config->cache)
		return notice_usage(&console,
		                    "there is no cache: APMTOOL_CACHE or the "
		                    "config turns it off");
	return EXIT_DONE;
}

/** Report an unusable directory, which would look like a missing index. */
static enum exit_status check_directory(const struct indexing *indexing,
                                        const struct command_line *line)
{
	const struct index_settings *settings = indexing->settings;
	bool removes = settings->prune || settings->clear;
	SCOPED(error_drop)
	// A directory that others may write to can still be cleared.
	struct error *err =
	        removes ? cache_directory_check_access(indexing->directory)
	                : cache_directory_check(indexing->directory);

	if (!err)
		return EXIT_DONE;
	notice_error(&console, NULL, err);
	return line->operand_count ? EXIT_ENVIRONMENT : EXIT_ALL_FAILED;
}

static enum exit_status run_mode(struct indexing *indexing,
                                 const struct command_line *line)
{
	const struct index_settings *settings = line->settings;
	enum exit_status status;
	uint64_t bytes = 0;

	if (settings->prune &&
	    !units_read_size(text_from(settings->prune), &bytes))
		return notice_usage(&console,
		                    "--prune: expected a size such as 500 MB, "
		                    "found '%s'",
		                    settings->prune);
	status = check_directory(indexing, line);
	if (status != EXIT_DONE)
		return status;
	if (settings->prune || settings->clear)
		return shrink(indexing, bytes, settings->clear);
	if (settings->list)
		return list(indexing);
	if (settings->verify)
		return verify(indexing);
	return build(indexing, line);
}

static enum exit_status index_run(const struct command_line *line)
{
	const struct index_settings *settings = line->settings;
	SCOPED(indexing_release)
	struct indexing indexing = {
		.settings = settings,
		.jobs = run_jobs(line, &settings->run),
	};
	const struct format_options format = {
		.columns = text_width_columns(&settings->run.width, line, NULL),
	};
	enum exit_status status = check_settings(line);
	struct out *out;

	if (status != EXIT_DONE)
		return status;
	if (settings->store) {
		status = settings->keep ? prune_store(&indexing)
		                        : fill_store(&indexing, line);
	} else {
		indexing.directory = symbols_open_cache(line->config);
		if (settings->dry_run)
			cache_directory_freeze(indexing.directory);
		status = run_mode(&indexing, line);
	}
	if (!indexing.table.columns)
		return status;
	if (output_open(&console, NULL, &out) != EXIT_DONE)
		return EXIT_ENVIRONMENT;
	formatter_find(settings->format)->table(&indexing.table, &format, out);
	return output_finish(&console, out, status);
}

const struct command index_command = {
	.name = "index",
	.topic = COMMAND_SYMBOLS,
	.summary = "index dSYMs, so that no --dsym is needed",
	.operands = "[<path>...]",
	.description =
	        "Searches directories, archives and files for symbols, and "
	        "remembers which UUID is where: from then on, `symbolicate` "
	        "and the other commands that name addresses find them without "
	        "--dsym. Without a path, what was indexed before is searched "
	        "again. The index only says where to look: each file is "
	        "checked before it "
	        "is used.\n\nWith --symbols, the debug information is read "
	        "ahead as well, so that no later run has to.",
	.options = options,
	.examples = examples,
	.settings_size = sizeof(struct index_settings),
	.uses_config = true,
	.run = index_run,
};
