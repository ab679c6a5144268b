// SPDX-License-Identifier: MIT
#include "lib/symbols/index/bundle_info.h"

#include "lib/base/error.h"
#include "lib/base/mem.h"
#include "lib/base/str.h"
#include "lib/text/archive.h"
#include "lib/text/plist/plist.h"

#include <stddef.h>
#include <string.h>

/** The list at DIRECTORY/NAME; NULL: unreadable. */
static const struct plist *read_list(struct text directory, const char *name,
                                     struct arena *arena)
{
	SCOPED(str_release) struct str path = { 0 };
	SCOPED(file_release) struct file_data file = { 0 };
	const struct plist *list = NULL;
	struct error *err;

	str_add_text(&path, directory);
	str_add(&path, name);
	err = archive_map(str_cstr(&path), &file);
	if (!err)
		err = plist_parse(file.bytes, arena, &list);
	error_free(err);
	return list;
}

/**
 * @p path up to its last part that ends with @p suffix, ignoring case, which
 * file systems of other computers may change.
 */
static bool directory_above(const char *path, const char *suffix,
                            struct text *ret)
{
	SCOPED(str_release) struct str needle = { 0 };
	struct text whole = text_from(path);
	size_t at;

	str_addf(&needle, "%s/", suffix);
	at = text_find_last_nocase(whole, str_cstr(&needle));
	if (at == TEXT_NOWHERE)
		return false;
	*ret = text_first(whole, at + strlen(suffix));
	return true;
}

static struct text parent_of(const char *path)
{
	struct text whole = text_from(path);
	size_t slash = text_find_last_char(whole, '/');

	return slash == TEXT_NOWHERE ? text_from(".")
	                             : text_first(whole, slash);
}

/** The Info.plist of a binary's bundle. */
static const struct plist *read_bundle(const char *path, struct arena *arena)
{
	struct text directory;

	if (directory_above(path, ".dSYM", &directory))
		return read_list(directory, "/Contents/Info.plist", arena);
	directory = parent_of(path);
	if (text_ends(directory, "/Contents/MacOS"))
		return read_list(text_first(directory,
		                            directory.size - strlen("/MacOS")),
		                 "/Info.plist", arena);
	if (text_find_last(directory, ".framework/Versions/") != TEXT_NOWHERE)
		return read_list(directory, "/Resources/Info.plist", arena);
	return read_list(directory, "/Info.plist", arena);
}

/**
 * Version and identifier. Without an Info.plist, dsymutil writes version 1.0
 * (1) of the file's name, which is ignored.
 */
static void read_versions(const struct plist *list, const char *file_name,
                          struct bundle_info *ret)
{
	const char *id = plist_text(list, "CFBundleIdentifier");
	struct text plain = text_from(id ? id : "");

	// Prefix by dsymutil and Xcode.
	if (text_take(&plain, "com.apple.xcode.dsym.") &&
	    text_is(plain, file_name))
		return;
	ret->bundle_id = id ? plain.data : NULL;
	ret->version = plist_text(list, "CFBundleShortVersionString");
	ret->build = plist_text(list, "CFBundleVersion");
}

/** `…/iPhone14,2 16.0 (20A362)/Symbols/usr/lib/…` */
static const char *read_os_build(const char *path, struct arena *arena)
{
	struct text directory;
	size_t open;

	if (!directory_above(path, ")/Symbols", &directory))
		return NULL;
	directory = text_first(directory, directory.size - strlen(")/Symbols"));
	open = text_find_last_char(directory, '(');
	if (open == TEXT_NOWHERE)
		return NULL;
	return arena_text(arena, text_after(directory, open + 1));
}

void bundle_info_read(const char *path, struct arena *arena,
                      struct bundle_info *ret)
{
	const struct plist *list;
	struct text archive;

	*ret = (struct bundle_info){
		.os_build = read_os_build(path, arena),
	};
	read_versions(read_bundle(path, arena), text_base_cstr(path), ret);
	if (!directory_above(path, ".xcarchive", &archive))
		return;
	list = plist_get(read_list(archive, "/Info.plist", arena),
	                 "ApplicationProperties");
	ret->app_version = plist_text(list, "CFBundleShortVersionString");
	ret->app_build = plist_text(list, "CFBundleVersion");
}

/** Seconds from 1970 to 2001. */
#define PLIST_EPOCH_S 978307200
/** A year of 9999, from 2001. */
#define PLIST_DATE_MAX 252423993599.0

static void read_made(const struct plist *list, struct bundle_app *ret)
{
	const struct plist *made = plist_get(list, "CreationDate");

	ret->has_made = made && made->kind == PLIST_DATE && made->real >= 0 &&
	                made->real <= PLIST_DATE_MAX;
	if (ret->has_made)
		ret->made_s = (int64_t)made->real + PLIST_EPOCH_S;
}

void bundle_app_read(const char *path, struct arena *arena,
                     struct bundle_app *ret)
{
	struct text app;

	*ret = (struct bundle_app){ .archive = TEXT_NONE };
	if (directory_above(path, ".xcarchive", &ret->archive)) {
		const struct plist *list =
		        read_list(ret->archive, "/Info.plist", arena);
		const struct plist *of_app =
		        plist_get(list, "ApplicationProperties");

		ret->name = plist_text(list, "Name");
		ret->version = plist_text(of_app, "CFBundleShortVersionString");
		ret->build = plist_text(of_app, "CFBundleVersion");
		read_made(list, ret);
	} else if (directory_above(path, ".app.dSYM", &app)) {
		struct bundle_info info = { 0 };

		read_versions(read_bundle(path, arena), text_base_cstr(path),
		              &info);
		app.size -= strlen(".app.dSYM");
		ret->name = arena_text(arena, text_base_name(app));
		ret->version = info.version;
		ret->build = info.build;
	}
}

struct text bundle_directory(const char *path)
{
	SCOPED(mem_drop) char *bundle = NULL;
	struct text dsym = text_from(path);

	directory_above(path, ".dSYM", &dsym);
	bundle = mem_strndup(dsym.data, dsym.size);
	if (text_find_char(dsym, '/') == TEXT_NOWHERE)
		return text_from(".");
	return text_first(text_from(path), parent_of(bundle).size);
}

/**
 * @param ret_path  Of the list; or NULL.
 */
static bool read_original(struct text directory, const char *name,
                          struct uuid *ret, struct str *ret_path)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const char *original = plist_text(read_list(directory, name, &arena),
	                                  "DBGOriginalUUID");

	if (!original || !uuid_parse(text_from(original), ret))
		return false;
	if (ret_path) {
		str_add_text(ret_path, directory);
		str_add(ret_path, name);
	}
	return true;
}

bool bundle_original_uuid(const char *path, const struct uuid *uuid,
                          struct uuid *ret, struct str *ret_path)
{
	struct text beside = bundle_directory(path);
	SCOPED(str_release) struct str upper = { 0 };
	SCOPED(str_release) struct str lower = { 0 };
	SCOPED(str_release) struct str inside = { 0 };
	char name[UUID_TEXT_SIZE];
	struct text directory;

	str_addf(&upper, "/%s.plist", uuid_format(uuid, name));
	str_addf(&inside, "/Contents/Resources%s", str_cstr(&upper));
	str_addf(&lower, "/%s.plist", uuid_format_lower(uuid, name));
	if (directory_above(path, ".dSYM", &directory) &&
	    read_original(directory, str_cstr(&inside), ret, ret_path))
		return true;
	return read_original(beside, str_cstr(&upper), ret, ret_path) ||
	       read_original(beside, str_cstr(&lower), ret, ret_path);
}

bool bundle_read_original(const char *path, struct uuid *ret)
{
	return read_original(text_from(path), "", ret, NULL);
}
