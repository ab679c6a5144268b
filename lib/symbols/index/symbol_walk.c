// SPDX-License-Identifier: MIT
#include "lib/symbols/index/symbol_walk.h"

#include "lib/base/file.h"
#include "lib/base/file_walk.h"
#include "lib/base/mem.h"
#include "lib/base/str.h"
#include "lib/symbols/index/map.h"
#include "lib/text/archive.h"

#include <string.h>

/**
 * System errors have the file's name (`cannot open 'a': permission denied`),
 * and the problem's path is printed, too: drop one. Takes @p err.
 */
static void report_problem(const struct symbol_walk *walk, const char *path,
                           struct error *err)
{
	SCOPED(str_release) struct str reason = { 0 };

	error_add_unnamed(err, path, &reason);
	walk->visitor->problem(walk->context, path, str_cstr(&reason));
	error_free(err);
}

/** A file found on disk or in an archive. */
struct candidate {
	const char *path;
	uint64_t size_bytes;
	struct file_identity identity; ///< of the file or its archive
	const char *in_archive;        ///< name in the archive, in the path
	struct archive_file *packed;   ///< NULL: on disk
	bool was_named;                ///< it, or a directory above it
};

static struct error *peek(const struct candidate *file, uint64_t offset,
                          void *buffer, size_t size, size_t *ret_size)
{
	if (file->packed)
		return archive_peek(file->packed, offset, buffer, size,
		                    ret_size);
	return file->was_named
	               ? file_peek(file->path, offset, buffer, size, ret_size)
	               : file_peek_found(file->path, offset, buffer, size,
	                                 ret_size);
}

// Files with symbols

/** The file being indexed. */
struct indexing {
	struct symbol_walk *walk;
	const struct candidate *found;
	const char *path; ///< the visitor's copy
	enum symbol_kind kind;
};

/** The name in an archive, within the visitor's copy of the path. */
static const char *name_in_archive(const struct indexing *file)
{
	const struct candidate *found = file->found;

	return found->in_archive
	               ? file->path + (found->in_archive - found->path)
	               : NULL;
}

static struct error *peek_more(const struct symbol_finder *finder,
                               uint64_t offset, void *buffer, size_t size,
                               size_t *ret_size)
{
	const struct indexing *file = finder->context;

	return peek(file->found, offset, buffer, size, ret_size);
}

static void take_found(const struct symbol_finder *finder,
                       const struct uuid *uuid, const struct symbol_locator *at)
{
	const struct indexing *file = finder->context;
	const struct uuid_entry entry = {
		.uuid = *uuid,
		.path = file->path,
		.name = text_base_cstr(file->path),
		.kind = file->kind,
		.at = *at,
		.is_system = file->walk->is_system,
		.identity = file->found->identity,
		.in_archive = name_in_archive(file),
	};

	file->walk->visitor->slice(file->walk->context, &entry);
}

static void take_problem(const struct symbol_finder *finder, struct error *err)
{
	const struct indexing *file = finder->context;

	report_problem(file->walk, file->path, err);
}

static void visit_parts(struct indexing *file, struct bytes head)
{
	const struct symbol_finder finder = {
		.head = head,
		.size_bytes = file->found->size_bytes,
		.peek = peek_more,
		.found = take_found,
		.problem = take_problem,
		.context = file,
	};

	symbol_source_of(file->kind)->find(&finder);
}

static struct error *visit_archive(struct symbol_walk *walk,
                                   const struct candidate *found);

/** Is it a resource of an app? */
static bool is_in_bundle(const char *path)
{
	static const char *const bundles[] = { ".app/", ".appex/", ".bundle/",
		                               ".framework/" };

	for (size_t i = 0; i < ARRAY_SIZE(bundles); i++)
		if (text_find(text_from(path), bundles[i]) != TEXT_NOWHERE)
			return true;
	return false;
}

/** Max nested archives to name; the others are counted. */
#define NESTED_NAMED_MAX 8

/** Report an archive inside of an archive. */
static void leave_out(struct symbol_walk *walk, const char *path)
{
	if (is_in_bundle(path))
		return;
	walk->found = true;
	if (walk->nested_count++ >= NESTED_NAMED_MAX)
		return;
	report_problem(walk, path,
	               error_new(ERROR_UNSUPPORTED,
	                         "an archive inside an archive: unpack it "
	                         "first"));
}

/** Is it debug information of a dSYM, not a Mac's extra file? */
static bool is_in_dsym(const char *path)
{
	return text_find_last_nocase(text_from(path),
	                             ".dSYM/Contents/Resources/DWARF/") !=
	               TEXT_NOWHERE &&
	       text_base_cstr(path)[0] != '.';
}

/** May it be an archive of dSYMs, by its name or directory? */
static bool may_hold_dsyms(const char *path)
{
	static const char *const names[] = { "dSYM", "xcarchive" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (text_find_last_nocase(text_from(path), names[i]) !=
		    TEXT_NOWHERE)
			return !is_in_bundle(path);
	return false;
}

/**
 * Skip a file without symbols; at the place of a dSYM's symbols, it is a
 * problem.
 */
static void pass_over(struct symbol_walk *walk, const char *path,
                      struct bytes head)
{
	const char *packed;

	if (walk->only_maps)
		return;
	packed = archive_unread_name(head);
	if (!is_in_dsym(path)) {
		if (packed && may_hold_dsyms(path))
			walk->visitor->packed(walk->context, path, packed);
		return;
	}
	report_problem(walk, path,
	               packed ? error_new(ERROR_UNSUPPORTED,
	                                  "it is %s: unpack it first", packed)
	                      : error_new(ERROR_FORMAT, "%s",
	                                  head.size ? "it is not a Mach-O file"
	                                            : "it is empty"));
}

static struct error *visit_symbols(struct symbol_walk *walk,
                                   const struct candidate *found)
{
	struct indexing file = { .walk = walk, .found = found };
	uint8_t bytes[SYMBOL_HEAD_BYTES];
	struct bytes head = { .data = bytes };
	struct error *err = peek(found, 0, bytes, sizeof(bytes), &head.size);

	if (err && !walk->may_hold_others)
		return err;
	if (!err && !found->packed && archive_is(head))
		return visit_archive(walk, found);
	if (!err && archive_is(head) && !walk->only_maps) {
		leave_out(walk, found->path);
		return NULL;
	}
	if (!err && !walk->may_hold_others && archive_unread_name(head))
		return error_new(ERROR_UNSUPPORTED,
		                 "'%s' is %s: unpack it first", found->path,
		                 archive_unread_name(head));
	file.kind = symbol_kind_sniff(head);
	if (!err && (walk->only_maps || file.kind == SYMBOL_KIND_COUNT)) {
		pass_over(walk, found->path, head);
		return NULL;
	}
	walk->found = true;
	file.path = walk->visitor->take(walk->context, found->path);
	if (file.path)
		walk->macho_count++;
	if (!file.path)
		error_free(err);
	else if (err)
		// Other files of the directory are walked nevertheless.
		report_problem(walk, file.path, err);
	else
		visit_parts(&file, head);
	return NULL;
}

// BCSymbolMaps

static struct error *check_map(const struct candidate *file)
{
	uint8_t head[SYMBOL_MAP_HEAD_BYTES];
	struct bytes bytes = { .data = head };
	struct error *err = peek(file, 0, head, sizeof(head), &bytes.size);

	return err ? err : symbol_map_check(bytes, file->size_bytes);
}

/** An unreadable map is a problem. */
static struct error *visit_map(struct symbol_walk *walk,
                               const struct candidate *found,
                               const struct uuid *uuid)
{
	const char *path = walk->visitor->take(walk->context, found->path);
	struct error *err;

	walk->found = true;
	if (!path)
		return NULL;
	err = check_map(found);
	if (!err)
		walk->visitor->map(walk->context, uuid, path);
	else if (!walk->may_hold_others)
		return error_prefix(err, "%s", path);
	else
		report_problem(walk, path, err);
	return NULL;
}

// Directories and archives

static struct error *visit_candidate(struct symbol_walk *walk,
                                     const struct candidate *file)
{
	struct uuid uuid;

	walk->file_count++;
	if (symbol_maps_is_map(file->path, &uuid))
		return visit_map(walk, file, &uuid);
	return visit_symbols(walk, file);
}

/** The archive being walked. */
struct unpacking {
	struct symbol_walk *walk;
	const struct candidate *file; ///< the archive
	struct text below; ///< only this file or directory; empty: all
};

static bool is_below(struct text name, struct text directory)
{
	struct text rest = text_after(name, directory.size);

	return !directory.size ||
	       (text_equal(text_first(name, directory.size), directory) &&
	        (!rest.size || rest.data[0] == '/'));
}

static struct error *visit_packed(struct archive_file *file, void *context)
{
	struct unpacking *archive = context;
	SCOPED(str_release) struct str path = { 0 };
	struct candidate candidate = { .size_bytes = file->size_bytes,
		                       .identity = archive->file->identity,
		                       .packed = file };
	struct error *err;

	if (archive->walk->budget &&
	    (err = file_budget_spend(archive->walk->budget)))
		return err;
	if (!is_below(file->name, archive->below))
		return NULL;
	str_addf(&path, "%s/", archive->file->path);
	str_add_text(&path, file->name);
	candidate.path = str_cstr(&path);
	candidate.in_archive = candidate.path + strlen(archive->file->path) + 1;
	return visit_candidate(archive->walk, &candidate);
}

static struct error *walk_archive(struct symbol_walk *walk,
                                  const struct candidate *file,
                                  const char *below)
{
	struct unpacking archive = { .walk = walk,
		                     .file = file,
		                     .below = text_from(below) };
	bool is_alone = !walk->may_hold_others;
	struct error *err;

	walk->may_hold_others = true;
	walk->nested_count = 0;
	// Count its files, not the archive.
	walk->file_count--;
	err = archive_walk(file->path, visit_packed, &archive);
	walk->may_hold_others = !is_alone;
	if (walk->nested_count > NESTED_NAMED_MAX)
		report_problem(
		        walk, file->path,
		        error_new(ERROR_UNSUPPORTED,
		                  "%zu more archives inside it",
		                  walk->nested_count - NESTED_NAMED_MAX));
	return err;
}

/** May the walk continue after a damaged archive? */
static bool may_go_on(struct symbol_walk *walk, const struct error *err)
{
	if (!walk->is_one_of_several || error_code(err) != ERROR_FORMAT)
		return false;
	// It was read, and is not empty.
	walk->file_count += !walk->found;
	walk->found = true;
	return true;
}

/** Walk an archive; keeps what was found before any damage. */
static struct error *visit_archive(struct symbol_walk *walk,
                                   const struct candidate *found)
{
	struct error *err = walk_archive(walk, found, "");

	walk->archive_found = true;
	if (!err || (walk->budget && !walk->budget->entries))
		return err;
	if (!walk->may_hold_others && !walk->found && !may_go_on(walk, err))
		return error_prefix(err, "%s", found->path);
	report_problem(walk, found->path, err);
	return NULL;
}

static struct error *visit_file(const struct file_found *found, void *context)
{
	struct symbol_walk *walk = context;
	const struct candidate file = { .path = found->path,
		                        .size_bytes = found->size_bytes,
		                        .identity = found->identity,
		                        .was_named = !walk->budget };

	if (walk->only_dsyms && text_find_last_nocase(text_from(found->path),
	                                              "dSYM") == TEXT_NOWHERE)
		return NULL;
	return visit_candidate(walk, &file);
}

static struct error *walk_into(struct symbol_walk *walk, const char *path,
                               size_t archive_length)
{
	SCOPED(str_release) struct str archive = { 0 };
	struct text below = text_from(path + archive_length + 1);
	SCOPED(str_release) struct str name = { 0 };
	struct candidate file = { 0 };
	struct error *err;

	while (text_ends(below, "/"))
		below.size--;
	str_add_bytes(&archive, path, archive_length);
	str_add_text(&name, below);
	file.path = str_cstr(&archive);
	file_identity_read(file.path, &file.identity);
	walk->file_count++;
	err = walk_archive(walk, &file, str_cstr(&name));
	walk->archive_found = true;
	if (!err || !may_go_on(walk, err))
		return error_prefix(err, "%s", str_cstr(&archive));
	report_problem(walk, str_cstr(&archive), err);
	return NULL;
}

static struct error *walk_path(struct symbol_walk *walk, const char *path)
{
	size_t archive_length = archive_path_length(path);
	struct error *err, *skipped;

	walk->may_hold_others = file_is_directory(path);
	if (archive_length)
		return walk_into(walk, path, archive_length);
	err = walk->budget ? file_walk_found(path, visit_file, walk,
	                                     walk->budget, &skipped)
	                   : file_walk(path, visit_file, walk, &skipped);
	if (skipped)
		report_problem(walk, path, skipped);
	return err;
}

struct error *symbol_walk(struct symbol_walk *walk, const char *path)
{
	struct error *err;

	if (!walk->budget)
		return walk_path(walk, path);
	file_budget_begin(walk->budget);
	err = walk_path(walk, path);
	file_budget_end(walk->budget);
	return err;
}
