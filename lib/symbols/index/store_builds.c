// SPDX-License-Identifier: MIT
#include "lib/symbols/index/store_builds.h"

#include "lib/base/file.h"
#include "lib/base/file_lock.h"
#include "lib/base/file_walk.h"
#include "lib/base/intern.h"
#include "lib/base/mem.h"
#include "lib/base/out.h"
#include "lib/base/sorted.h"
#include "lib/base/timestamp.h"
#include "lib/symbols/index/store_layout.h"
#include "lib/symbols/index/store_write.h"
#include "lib/text/json/json.h"
#include "lib/text/json/writer.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define APPS "apps"
// Encoded names of apps do not begin with a dot.
#define LOCK_NAME      APPS "/.lock"
#define LOCK_WAIT_MS   10000
#define NAME_BYTES_MAX 255
/** A record of 1,000 images has 150 kB. */
#define RECORD_BYTES_MAX ((size_t)16 << 20)

void store_build_add_image(struct store_build *build,
                           const struct store_image *image, struct arena *arena)
{
	for (size_t i = 0; i < build->count; i++)
		if (uuid_equal(&build->images[i].uuid, &image->uuid) &&
		    !strcmp(build->images[i].type, image->type))
			return;
	ARENA_GROW(arena, build->images, build->count, build->cap);
	build->images[build->count++] = *image;
}

// Paths

static bool is_plain(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
}

void store_build_add_name(const char *name, struct str *out)
{
	for (const char *at = name; *at; at++) {
		if (is_plain(*at) && (at != name || *at != '.'))
			str_add_char(out, *at);
		else
			str_addf(out, "%%%02X", (unsigned char)*at);
	}
}

static struct error *check_name(const char *what, const char *name)
{
	if (name[0])
		return NULL;
	return error_new(ERROR_USAGE, "the %s of the app is empty", what);
}

struct error *store_build_add_path(const char *store,
                                   const struct store_build *build,
                                   struct str *out)
{
	SCOPED(str_release) struct str app = { 0 };
	SCOPED(str_release) struct str version = { 0 };
	SCOPED(str_release) struct str os = { 0 };
	struct error *err = check_name("name", build->app);

	if (!err)
		err = check_name("version", build->version);
	if (!err)
		err = check_name("build", build->build);
	if (err)
		return err;
	store_build_add_name(build->app, &app);
	store_build_add_name(build->version, &version);
	str_add_char(&version, '+');
	store_build_add_name(build->build, &version);
	if (app.size > NAME_BYTES_MAX || version.size > NAME_BYTES_MAX)
		return error_new(
		        ERROR_USAGE, "the %s of the app is too long for a path",
		        app.size > NAME_BYTES_MAX ? "name" : "version");
	store_build_add_name(build->os, &os);
	str_addf(out, "%s/" APPS "/%s/%s/%s.json", store, str_cstr(&app),
	         str_cstr(&version), str_cstr(&os));
	return NULL;
}

// Reading

static const char *text_of(const cJSON *object, const char *key,
                           struct arena *arena)
{
	struct text text =
	        json_scalar(cJSON_GetObjectItemCaseSensitive(object, key));

	return text.data ? arena_text(arena, text) : NULL;
}

static struct error *read_image(const cJSON *item, struct arena *arena,
                                struct store_build *ret)
{
	struct store_image image = {
		.name = text_of(item, "name", arena),
		.arch = text_of(item, "arch", arena),
		.type = text_of(item, "type", arena),
	};
	const char *uuid = text_of(item, "uuid", arena);

	if (!uuid || !uuid_parse(text_from(uuid), &image.uuid) || !image.type)
		return error_new(ERROR_FORMAT,
		                 "images[%zu]: expected a UUID and a type",
		                 ret->count);
	if (!image.name)
		image.name = "";
	ARENA_GROW(arena, ret->images, ret->count, ret->cap);
	ret->images[ret->count++] = image;
	return NULL;
}

static void read_source_maps(const cJSON *list, struct arena *arena,
                             struct store_build *ret)
{
	const cJSON *item;
	size_t count = (size_t)cJSON_GetArraySize(list);

	ret->source_maps = arena_array(arena, count, sizeof(*ret->source_maps));
	cJSON_ArrayForEach (item, list) {
		struct store_source_map map = {
			.debug_id = text_of(item, "debug_id", arena),
			.file = text_of(item, "file", arena),
		};

		if (map.file)
			ret->source_maps[ret->source_map_count++] = map;
	}
}

static struct error *read_record(const cJSON *root, struct arena *arena,
                                 struct store_build *ret)
{
	const cJSON *images = cJSON_GetObjectItemCaseSensitive(root, "images");
	const char *made = text_of(root, "made", arena);
	int64_t made_ms = 0;
	const cJSON *item;

	*ret = (struct store_build){
		.app = text_of(root, "app", arena),
		.version = text_of(root, "version", arena),
		.build = text_of(root, "build", arena),
		.os = text_of(root, "os", arena),
	};
	if (!ret->app || !ret->version || !ret->build || !ret->os ||
	    !cJSON_IsArray(images))
		return error_new(ERROR_FORMAT,
		                 "expected app, version, build, os and images");
	if (!made || !timestamp_parse(text_from(made), &made_ms))
		return error_new(ERROR_FORMAT, "made: expected a date");
	ret->made_s = made_ms / 1000;
	cJSON_ArrayForEach (item, images) {
		struct error *err = read_image(item, arena, ret);

		if (err)
			return err;
	}
	item = cJSON_GetObjectItemCaseSensitive(root, "source_maps");
	if (cJSON_IsArray(item))
		read_source_maps(item, arena, ret);
	return NULL;
}

struct error *store_build_parse(struct text in, struct arena *arena,
                                struct store_build *ret)
{
	SCOPED(json_doc_drop) struct json_doc *doc = NULL;
	struct error *err = json_parse(in, NULL, &doc);

	if (!err && json_truncated(doc))
		err = error_new(ERROR_FORMAT, "truncated");
	return err ? err : read_record(json_root(doc), arena, ret);
}

struct error *store_build_read(const char *path, struct arena *arena,
                               struct store_build *ret)
{
	SCOPED(file_release) struct file_data file = { 0 };
	struct error *err = file_read(path, RECORD_BYTES_MAX, &file);

	if (err)
		return err;
	return error_prefix(
	        store_build_parse(bytes_text(file.bytes), arena, ret), "%s",
	        path);
}

// Writing

static int compare_images(const void *a, const void *b)
{
	const struct store_image *x = a;
	const struct store_image *y = b;
	int order = uuid_compare(&x->uuid, &y->uuid);

	return order ? order : strcmp(x->type, y->type);
}

static void add_record(const struct store_build *build, struct out *out)
{
	struct json_writer w = json_writer_to(out);
	struct timestamp_text made = timestamp_utc(build->made_s, 'T');
	SCOPED(str_release) struct str date = { 0 };

	str_addf(&date, "%sZ", made.text);
	json_open_object(&w, NULL);
	json_text(&w, "schema", "apmtool.build/1");
	json_text(&w, "app", build->app);
	json_text(&w, "version", build->version);
	json_text(&w, "build", build->build);
	json_text(&w, "os", build->os);
	json_text(&w, "made", str_cstr(&date));
	json_open_array(&w, "images");
	for (size_t i = 0; i < build->count; i++) {
		json_open_object(&w, NULL);
		json_uuid(&w, "uuid", &build->images[i].uuid);
		json_text(&w, "name", build->images[i].name);
		json_text(&w, "arch", build->images[i].arch);
		json_text(&w, "type", build->images[i].type);
		json_close(&w);
	}
	json_close(&w);
	json_open_array(&w, "source_maps");
	for (size_t i = 0; i < build->source_map_count; i++) {
		json_open_object(&w, NULL);
		json_text(&w, "debug_id", build->source_maps[i].debug_id);
		json_text(&w, "file", build->source_maps[i].file);
		json_close(&w);
	}
	json_close(&w);
	json_close(&w);
	json_finish(&w);
}

static struct error *write_record(const char *path,
                                  const struct store_build *build)
{
	struct error *err = store_make_directories(path, 0777);
	struct out *out;

	if (!err)
		err = out_open(path, &out);
	if (err)
		return err;
	add_record(build, out);
	return out_close(out);
}

/** Check a record, since file systems may take `App` and `app` for one name. */
static bool is_same(const struct store_build *a, const struct store_build *b)
{
	return !strcmp(a->app, b->app) && !strcmp(a->version, b->version) &&
	       !strcmp(a->build, b->build) && !strcmp(a->os, b->os);
}

static struct error *put_locked(const char *path,
                                const struct store_build *build)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct store_build whole = { 0 };
	struct error *err;
	size_t before;

	if (access(path, F_OK)) {
		whole = *build;
		whole.images = NULL;
		whole.count = whole.cap = 0;
	} else if ((err = store_build_read(path, &arena, &whole))) {
		return err;
	} else if (!is_same(&whole, build)) {
		return error_new(ERROR_FORMAT, "%s: has %s %s (%s)", path,
		                 whole.app, whole.version, whole.build);
	}
	before = whole.count;
	for (size_t i = 0; i < build->count; i++)
		store_build_add_image(&whole, &build->images[i], &arena);
	if (before && whole.count == before)
		return NULL;
	qsort(whole.images, whole.count, sizeof(*whole.images), compare_images);
	return write_record(path, &whole);
}

/** Ignore that the directory cannot be made: writing reports the error. */
static struct error *lock_builds(const char *store, int *ret)
{
	SCOPED(str_release) struct str path = { 0 };

	str_addf(&path, "%s/" LOCK_NAME, store);
	error_free(store_make_directories(str_cstr(&path), 0777));
	return error_prefix(file_lock(str_cstr(&path), 0666, FILE_LOCK_ALL,
	                              LOCK_WAIT_MS, ret),
	                    "%s", store);
}

struct error *store_build_put(const char *store,
                              const struct store_build *build)
{
	SCOPED(str_release) struct str path = { 0 };
	SCOPED(file_unlock) int lock = -1;
	struct error *err = store_build_add_path(store, build, &path);

	if (!err)
		err = lock_builds(store, &lock);
	return err ? err : put_locked(str_cstr(&path), build);
}

// Pruning

/** A record that was found. */
struct found_build {
	const char *path;
	struct text app; ///< the directory, in the path
	struct text os;
	struct store_build build;
	bool is_gone;
};

struct builds {
	struct arena arena;
	struct found_build *all;
	size_t count;
	size_t cap;
	size_t apps_length; ///< of the path of `apps`, with the `/`
	struct uuid *kept;  ///< UUIDs of the builds that stay; ascending
	size_t kept_count;
	struct intern seen; ///< UUIDs whose files were removed
};

static struct error *add_build(const struct file_found *file, void *context)
{
	struct builds *builds = context;
	struct text rest = text_from(file->path + builds->apps_length);
	struct found_build found = { 0 };
	size_t slash = text_find_char(rest, '/');
	struct error *err;

	if (slash == TEXT_NOWHERE || !text_ends(rest, ".json"))
		return NULL;
	found.path = arena_strdup(&builds->arena, file->path);
	found.app =
	        text_first(text_from(found.path + builds->apps_length), slash);
	found.os = text_base_name(text_from(found.path));
	err = store_build_read(found.path, &builds->arena, &found.build);
	if (err)
		return err;
	ARENA_GROW(&builds->arena, builds->all, builds->count, builds->cap);
	builds->all[builds->count++] = found;
	return NULL;
}

/** `1.10` is more than `1.9`. */
static int compare_versions(const char *a, const char *b)
{
	while (*a && *b) {
		size_t x = strspn(a, "0123456789");
		size_t y = strspn(b, "0123456789");
		size_t zeros = strspn(a, "0");
		int order;

		if (!x || !y) {
			if (*a != *b)
				return *a < *b ? -1 : 1;
			a++;
			b++;
			continue;
		}
		zeros = zeros < x ? zeros : x - 1;
		a += zeros;
		x -= zeros;
		zeros = strspn(b, "0");
		zeros = zeros < y ? zeros : y - 1;
		b += zeros;
		y -= zeros;
		order = text_compare((struct text){ a, x },
		                     (struct text){ b, y });
		if (x != y)
			return x < y ? -1 : 1;
		if (order)
			return order;
		a += x;
		b += y;
	}
	return (*a != '\0') - (*b != '\0');
}

/** Order by app and system, newest first. */
static int compare_builds(const void *a, const void *b)
{
	const struct found_build *x = a;
	const struct found_build *y = b;
	int order = text_compare(x->app, y->app);

	if (!order)
		order = text_compare(x->os, y->os);
	if (!order)
		order = (x->build.made_s < y->build.made_s) -
		        (x->build.made_s > y->build.made_s);
	if (!order)
		order = -compare_versions(x->build.version, y->build.version);
	if (!order)
		order = -compare_versions(x->build.build, y->build.build);
	return order ? order : strcmp(x->path, y->path);
}

static bool is_same_app(const struct found_build *a,
                        const struct found_build *b)
{
	return text_equal(a->app, b->app) && text_equal(a->os, b->os);
}

static void choose_gone(struct builds *builds, size_t keep)
{
	size_t rank = 0;

	if (builds->count)
		qsort(builds->all, builds->count, sizeof(*builds->all),
		      compare_builds);
	for (size_t i = 0; i < builds->count; i++) {
		struct found_build *build = &builds->all[i];

		rank = i && is_same_app(build, build - 1) ? rank + 1 : 0;
		build->is_gone = rank >= keep;
	}
}

static int compare_uuids(const void *a, const void *b)
{
	return uuid_compare(a, b);
}

static void gather_kept(struct builds *builds)
{
	size_t count = 0;

	for (size_t i = 0; i < builds->count; i++)
		count += builds->all[i].build.count;
	builds->kept = arena_array(&builds->arena, count, sizeof(struct uuid));
	for (size_t i = 0; i < builds->count; i++) {
		const struct found_build *found = &builds->all[i];

		for (size_t k = 0; !found->is_gone && k < found->build.count;
		     k++)
			builds->kept[builds->kept_count++] =
			        found->build.images[k].uuid;
	}
	if (count)
		qsort(builds->kept, builds->kept_count, sizeof(struct uuid),
		      compare_uuids);
}

static bool is_kept(const struct builds *builds, const struct uuid *uuid)
{
	size_t at = SORTED_SKIP(i, builds->kept_count,
	                        uuid_compare(&builds->kept[i], uuid) < 0);

	return at < builds->kept_count && uuid_equal(&builds->kept[at], uuid);
}

static struct error *remove_file(struct store_pruning *pruning,
                                 const char *path)
{
	struct stat info;

	if (lstat(path, &info) || !S_ISREG(info.st_mode))
		return NULL;
	if (!pruning->dry_run && unlink(path) && !file_means_absent(errno))
		return error_os(errno, "cannot remove '%s'", path);
	pruning->removed_files++;
	pruning->removed_bytes += (uint64_t)info.st_size;
	pruning->removed(path, (uint64_t)info.st_size, pruning->context);
	return NULL;
}

/** Whether `index --store` writes a file of this name for a UUID. */
static bool is_stored_name(const char *name, const struct uuid *uuid)
{
	static const char *const names[] = { "debuginfo", "executable",
		                             "bcsymbolmap", "uuidmap" };
	char text[UUID_TEXT_SIZE];
	struct text rest = text_from(name);

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(name, names[i]))
			return true;
	return text_take(&rest, uuid_format(uuid, text)) &&
	       (text_is(rest, ".gsym") || text_is(rest, ".unreadable.gsym"));
}

static int compare_cstrs(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/** List names in the directory of a UUID, ascending. */
static size_t list_stored(const char *directory, const struct uuid *uuid,
                          struct arena *arena, const char **names, size_t room)
{
	DIR *dir = opendir(directory);
	const struct dirent *entry;
	size_t count = 0;

	while (dir && count < room && (entry = readdir(dir)))
		if (is_stored_name(entry->d_name, uuid))
			names[count++] = arena_strdup(arena, entry->d_name);
	if (dir)
		closedir(dir);
	qsort(names, count, sizeof(*names), compare_cstrs);
	return count;
}

static struct error *remove_image(struct store_pruning *pruning,
                                  struct arena *arena, const struct uuid *uuid)
{
	SCOPED(str_release) struct str directory = { 0 };
	const char *names[8];
	struct error *err = NULL;
	size_t count;

	store_layout_add(pruning->store, uuid, STORE_DIRECTORY, &directory);
	count = list_stored(str_cstr(&directory), uuid, arena, names,
	                    ARRAY_SIZE(names));
	for (size_t i = 0; !err && i < count; i++) {
		SCOPED(str_release) struct str path = { 0 };

		str_addf(&path, "%s/%s", str_cstr(&directory), names[i]);
		err = remove_file(pruning, str_cstr(&path));
	}
	if (!err && count && !pruning->dry_run)
		rmdir(str_cstr(&directory));
	return err;
}

/** Remove the record last, so that an interrupted run can be repeated. */
static struct error *remove_build(struct store_pruning *pruning,
                                  struct builds *builds,
                                  const struct found_build *found)
{
	SCOPED(str_release) struct str directory = { 0 };
	struct error *err = NULL;

	for (size_t i = 0; !err && i < found->build.count; i++) {
		const struct uuid *uuid = &found->build.images[i].uuid;

		// Count each file only once: in a dry run, files stay.
		if (!is_kept(builds, uuid) &&
		    intern_add_new(&builds->seen, uuid_key(uuid)))
			err = remove_image(pruning, &builds->arena, uuid);
	}
	if (!err)
		err = remove_file(pruning, found->path);
	if (err)
		return err;
	pruning->removed_builds++;
	str_add_bytes(&directory, found->path,
	              text_find_last_char(text_from(found->path), '/'));
	if (!pruning->dry_run)
		rmdir(str_cstr(&directory));
	return NULL;
}

struct error *store_prune(struct store_pruning *pruning)
{
	struct builds builds = { 0 };
	SCOPED(str_release) struct str apps = { 0 };
	SCOPED(file_unlock) int lock = -1;
	struct error *skipped = NULL;
	struct error *err = NULL;

	str_addf(&apps, "%s/" APPS, pruning->store);
	if (!file_is_directory(str_cstr(&apps)))
		return NULL;
	builds.apps_length = apps.size + 1;
	if (!pruning->dry_run)
		err = lock_builds(pruning->store, &lock);
	if (!err)
		err = file_walk(str_cstr(&apps), add_build, &builds, &skipped);
	// A record in a skipped directory may list any file.
	if (!err) {
		err = skipped;
		skipped = NULL;
	}
	error_free(skipped);
	err = error_prefix(err, "nothing is removed");
	if (!err) {
		choose_gone(&builds, pruning->keep);
		gather_kept(&builds);
		pruning->builds = builds.count;
	}
	// Remove the oldest first.
	for (size_t i = builds.count; !err && i > 0; i--)
		if (builds.all[i - 1].is_gone)
			err = remove_build(pruning, &builds,
			                   &builds.all[i - 1]);
	intern_release(&builds.seen);
	arena_release(&builds.arena);
	return err;
}
