// SPDX-License-Identifier: MIT
#include "lib/symbols/store_fill.h"

#include "lib/base/mem.h"
#include "lib/darwin/platforms.h"
#include "lib/symbols/index/bundle_info.h"
#include "lib/symbols/index/map.h"
#include "lib/symbols/index/store_builds.h"
#include "lib/symbols/precache.h"
#include "lib/text/archive.h"

#include <stdlib.h>
#include <string.h>

#define UNKNOWN_OS "unknown"

/** The files of an app: of an archive, or below an operand. */
struct group {
	struct text archive; ///< empty: an operand
	size_t turn;         ///< index of the operand
	struct bundle_app app;
	bool has_several_apps;
	/** One record per system; names as in darwin_platform_word(). */
	struct store_build *builds;
	size_t count;
	size_t cap;
};

struct filling {
	struct store_fill *fill;
	struct arena arena;
	struct group *groups;
	size_t group_count;
	size_t group_cap;
	const char **stored; ///< paths of debug information in the store
	size_t stored_count;
	size_t stored_cap;
	struct precache precache;
	size_t unkept; ///< already reported
};

// Which app

static struct group *find_group(struct filling *filling, struct text archive,
                                size_t turn)
{
	struct group *group;

	for (size_t i = 0; i < filling->group_count; i++) {
		group = &filling->groups[i];
		if (text_equal(group->archive, archive) &&
		    (archive.size || group->turn == turn))
			return group;
	}
	ARENA_GROW(&filling->arena, filling->groups, filling->group_count,
	           filling->group_cap);
	group = &filling->groups[filling->group_count++];
	*group = (struct group){ .archive = archive, .turn = turn };
	return group;
}

static bool is_same(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

/** Options override archives: all files are of one build. */
static bool is_named(const struct store_fill *fill)
{
	return fill->app && fill->version && fill->build;
}

/** The group of a file; adds the file's facts about its app. */
static struct group *group_of(struct filling *filling, const char *path,
                              size_t turn)
{
	struct bundle_app app;
	struct group *group;

	bundle_app_read(path, &filling->arena, &app);
	if (is_named(filling->fill))
		group = find_group(filling, TEXT_NONE, 0);
	else
		group = find_group(filling, app.archive, turn);
	if (!group->app.name)
		group->app = app;
	else if (app.name)
		group->has_several_apps |=
		        !is_same(group->app.name, app.name) ||
		        !is_same(group->app.version, app.version) ||
		        !is_same(group->app.build, app.build);
	return group;
}

static void add_image(struct filling *filling, struct group *group,
                      const char *os, const struct store_image *image)
{
	struct store_build *build = NULL;

	for (size_t i = 0; i < group->count && !build; i++)
		if (!strcmp(group->builds[i].os, os))
			build = &group->builds[i];
	if (!build) {
		ARENA_GROW(&filling->arena, group->builds, group->count,
		           group->cap);
		build = &group->builds[group->count++];
		*build = (struct store_build){ .os = os };
	}
	store_build_add_image(build, image, &filling->arena);
}

/** The system of a slice, from its file. */
static const char *system_of(const struct uuid_entry *entry)
{
	SCOPED(file_release) struct file_data file = { 0 };
	SCOPED(open_source_close) struct open_source open = { 0 };
	const char *word = NULL;
	struct error *err = archive_map(entry->path, &file);

	if (!err)
		err = open_source_open(&open, entry->kind, file.bytes,
		                       &entry->at);
	if (!err)
		word = darwin_platform_word(open.state.platform);
	error_free(file_reading_error(err, file.bytes));
	return word ? word : UNKNOWN_OS;
}

static bool is_stored(const struct uuid_entry *entry)
{
	enum symbol_role role = uuid_entry_facts(entry).role;

	return !uuid_is_zero(&entry->uuid) &&
	       (role == SYMBOL_ROLE_DEBUG || role == SYMBOL_ROLE_IMAGE);
}

static void record_slices(struct filling *filling)
{
	const struct uuid_entry *entries;
	size_t count;

	entries = uuid_index_all(filling->fill->index, &count);
	for (size_t i = 0; i < count; i++) {
		const struct uuid_entry *entry = &entries[i];
		const struct store_image image = {
			.uuid = entry->uuid,
			.name = entry->name,
			.arch = uuid_entry_arch(entry),
			.type = uuid_entry_type(entry),
		};

		if (is_stored(entry))
			add_image(filling,
			          group_of(filling, entry->path, entry->turn),
			          system_of(entry), &image);
	}
}

/** A map has no system: add it to the records of its archive. */
static void record_maps(struct filling *filling)
{
	const struct symbol_maps *maps = uuid_index_maps(filling->fill->index);
	struct store_image image = { .type = "bcsymbolmap" };
	const char *path;

	for (size_t i = 0; symbol_maps_at(maps, i, &image.uuid, &path); i++) {
		struct group *group = group_of(filling, path, 0);

		image.name = text_base_cstr(path);
		if (group->count)
			add_image(filling, group, group->builds[0].os, &image);
	}
}

static void fault(struct filling *filling, const char *path, const char *text)
{
	filling->fill->fault(path, text, filling->fill->context);
}

/** The missing part of a build's name; or NULL. */
static const char *missing_of(const struct store_build *build)
{
	if (!build->app)
		return "name";
	return build->version ? build->build ? NULL : "build" : "version";
}

/** Options of the caller come first. */
static struct store_build named_build(const struct store_fill *fill,
                                      const struct group *group)
{
	return (struct store_build){
		.app = fill->app ? fill->app : group->app.name,
		.version = fill->version ? fill->version : group->app.version,
		.build = fill->build ? fill->build : group->app.build,
		.made_s = group->app.has_made ? group->app.made_s : fill->now_s,
	};
}

static void put_group(struct filling *filling, struct group *group)
{
	struct store_fill *fill = filling->fill;
	struct store_build named = named_build(fill, group);
	SCOPED(str_release) struct str text = { 0 };
	const char *missing = missing_of(&named);

	if (!group->count)
		return;
	if (group->has_several_apps && !is_named(fill)) {
		fill->warning(NULL,
		              "dSYMs of several apps or builds: none is "
		              "recorded; name one with --name, --app-version "
		              "and --build",
		              fill->context);
		return;
	}
	if (missing && (named.app || named.version || named.build)) {
		str_addf(&text,
		         "no build is recorded: its %s is not known; "
		         "say it with --%s",
		         missing,
		         strcmp(missing, "version") ? missing : "app-version");
		fill->warning(NULL, str_cstr(&text), fill->context);
	}
	for (size_t i = 0; !missing && i < group->count; i++) {
		struct store_build *build = &group->builds[i];
		struct error *err;

		build->app = named.app;
		build->version = named.version;
		build->build = named.build;
		build->made_s = named.made_s;
		err = store_build_put(fill->store, build);
		if (err)
			fault(filling, NULL, error_message(err));
		else
			fill->builds++;
		error_free(err);
	}
}

// Copying

static void count_copy(struct filling *filling, struct error *err,
                       const char *source, const struct uuid *uuid,
                       const char *path, enum store_added added)
{
	struct store_fill *fill = filling->fill;
	SCOPED(str_release) struct str text = { 0 };
	char name[UUID_TEXT_SIZE];

	fill->found++;
	if (err) {
		fill->failed++;
		fault(filling, NULL, error_message(err));
		error_free(err);
		return;
	}
	fill->counts[added]++;
	if (added == STORE_CLASH)
		str_addf(&text,
		         "the store has another file of UUID %s: not copied",
		         uuid_format(uuid, name));
	else if (added == STORE_DAMAGED)
		str_addf(&text,
		         "'%s' of the store is damaged: remove it, and copy "
		         "this one again",
		         path);
	if (text.size)
		fault(filling, source, str_cstr(&text));
}

/** Copy the list with the UUID of a dSYM's map, too. */
static void copy_uuid_map(struct filling *filling,
                          const struct uuid_entry *entry)
{
	SCOPED(str_release) struct str source = { 0 };
	SCOPED(str_release) struct str path = { 0 };
	enum store_added added = STORE_PASSED;
	struct error *err;
	struct uuid original;

	if (!uuid_entry_is_dsym(entry) ||
	    !bundle_original_uuid(entry->path, &entry->uuid, &original,
	                          &source))
		return;
	err = store_add_file(filling->fill->store, &entry->uuid, STORE_UUID_MAP,
	                     str_cstr(&source), &path, &added);
	count_copy(filling, err, str_cstr(&source), &entry->uuid,
	           str_cstr(&path), added);
}

static void copy_slice(struct filling *filling, const struct uuid_entry *entry)
{
	SCOPED(str_release) struct str path = { 0 };
	enum store_added added = STORE_PASSED;
	struct error *err =
	        store_add(filling->fill->store, entry, &path, &added);
	bool is_there = !err && (added == STORE_NEW || added == STORE_THERE);

	count_copy(filling, err, entry->path, &entry->uuid, str_cstr(&path),
	           added);
	if (!is_there || !uuid_entry_is_dsym(entry))
		return;
	copy_uuid_map(filling, entry);
	ARENA_GROW(&filling->arena, filling->stored, filling->stored_count,
	           filling->stored_cap);
	filling->stored[filling->stored_count++] =
	        arena_text(&filling->arena, str_text(&path));
}

static void copy_all(struct filling *filling)
{
	struct store_fill *fill = filling->fill;
	const struct symbol_maps *maps = uuid_index_maps(fill->index);
	const struct uuid_entry *entries;
	const char *source;
	struct uuid uuid;
	size_t count;

	entries = uuid_index_all(fill->index, &count);
	for (size_t i = 0; i < count; i++)
		copy_slice(filling, &entries[i]);
	for (size_t i = 0; symbol_maps_at(maps, i, &uuid, &source); i++) {
		SCOPED(str_release) struct str path = { 0 };
		enum store_added added = STORE_PASSED;
		struct error *err = store_add_file(
		        fill->store, &uuid, STORE_MAP, source, &path, &added);

		count_copy(filling, err, source, &uuid, str_cstr(&path), added);
	}
}

// Reading ahead

/** A failure to cache loses no symbols: report only the first reason. */
static void take_problem(const char *path, const char *reason, void *context)
{
	struct filling *filling = context;
	struct store_fill *fill = filling->fill;

	if (filling->precache.unkept == filling->unkept)
		fill->fault(path, reason, fill->context);
	else if (!filling->unkept++)
		fill->warning(path, reason, fill->context);
	filling->unkept = filling->precache.unkept;
}

static void take_difference(const char *path, const char *text, void *context)
{
	struct filling *filling = context;
	SCOPED(str_release) struct str message = { 0 };

	str_addf(&message, "apmtool's reader and libdwarf differ: %s", text);
	filling->fill->warning(path, str_cstr(&message),
	                       filling->fill->context);
}

static void read_ahead(struct filling *filling)
{
	struct uuid_index *stored = uuid_index_new();
	const struct uuid_entry *entries;
	struct catalog_item *items;
	size_t count;

	for (size_t i = 0; i < filling->stored_count; i++)
		uuid_index_add_known(stored, filling->stored[i]);
	entries = uuid_index_all(stored, &count);
	items = arena_array(&filling->arena, count, sizeof(*items));
	for (size_t i = 0; i < count; i++)
		items[i] = (struct catalog_item){
			.uuid = entries[i].uuid,
			.path = entries[i].path,
			.kind = entries[i].kind,
			.at = entries[i].at,
		};
	catalog_sort(items, count);
	filling->precache = (struct precache){
		.jobs = filling->fill->jobs,
		.problem = take_problem,
		.difference = take_difference,
		.context = filling,
	};
	precache_run(&filling->precache, items, count);
	filling->fill->made = filling->precache.made;
	filling->fill->present = filling->precache.present;
	uuid_index_free(stored);
}

void store_fill_run(struct store_fill *fill)
{
	struct filling filling = { .fill = fill };

	// Records come first, so that files are not pruned during the copy.
	record_slices(&filling);
	record_maps(&filling);
	for (size_t i = 0; i < filling.group_count; i++)
		put_group(&filling, &filling.groups[i]);
	copy_all(&filling);
	read_ahead(&filling);
	arena_release(&filling.arena);
}
