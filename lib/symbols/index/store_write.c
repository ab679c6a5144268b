// SPDX-License-Identifier: MIT
#include "lib/symbols/index/store_write.h"

#include "lib/base/out.h"
#include "lib/symbols/index/uuid_index.h"
#include "lib/text/archive.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct error *store_make_directories(const char *path, mode_t mode)
{
	SCOPED(str_release) struct str part = { 0 };

	for (const char *end = strchr(path + 1, '/'); end;
	     end = strchr(end + 1, '/')) {
		str_clear(&part);
		str_add_bytes(&part, path, (size_t)(end - path));
		if (mkdir(str_cstr(&part), mode) && errno != EEXIST)
			return error_os(errno, "cannot make '%s'",
			                str_cstr(&part));
	}
	return NULL;
}

/**
 * Make the directory of a UUID. Only its owner may write to it: otherwise,
 * readers would not use entries of the cache in it.
 */
static struct error *make_places(const char *path)
{
	SCOPED(str_release) struct str directory = { 0 };
	struct error *err;

	str_add_bytes(&directory, path,
	              text_find_last_char(text_from(path), '/'));
	err = store_make_directories(str_cstr(&directory), 0777);
	return err ? err : store_make_directories(path, 0755);
}

static struct error *write_file(const char *path, struct bytes content)
{
	struct error *err = make_places(path);
	struct out *out;

	if (!err)
		err = out_open(path, &out);
	if (err)
		return err;
	out_set_content(out, OUT_BINARY);
	out_add_bytes(out, content.data, content.size);
	return out_close(out);
}

/** Whether errno means a file system without links, such as SMB. */
static bool has_no_links(int number)
{
	return number == EPERM || number == ENOTSUP || number == ENOSYS;
}

/**
 * Give a file its own name, unless another process has written a file of that
 * name. Without links, a file of that moment may be overwritten.
 */
static struct error *put_in_place(const char *written, const char *path,
                                  bool *ret_is_there)
{
	int failed = link(written, path) ? errno : 0;

	if (has_no_links(failed) && access(path, F_OK))
		failed = rename(written, path) ? errno : 0;
	else if (has_no_links(failed))
		failed = EEXIST;
	unlink(written);
	*ret_is_there = failed == EEXIST;
	return failed && failed != EEXIST
	               ? error_os(failed, "cannot make '%s'", path)
	               : NULL;
}

/** Whether the file has a slice with the UUID. */
static bool has_slice(const char *path, const struct uuid *uuid)
{
	struct uuid_index *index = uuid_index_new();
	size_t count;

	uuid_index_add_known(index, path);
	uuid_index_find(index, uuid, &count);
	uuid_index_free(index);
	return count;
}

struct copy {
	const struct uuid *uuid;
	enum store_file file;
	struct bytes content;
	const char *path; ///< in the store
};

/** Compare with the file in the store. */
static struct error *compare(const struct copy *copy, enum store_added *ret)
{
	SCOPED(file_release) struct file_data there = { 0 };
	struct error *err = file_map(copy->path, &there);
	size_t size = there.bytes.size;
	bool is_begun;

	if (err)
		return err;
	is_begun =
	        size <= copy->content.size &&
	        (!size || !memcmp(there.bytes.data, copy->content.data, size));
	if (is_begun && size == copy->content.size)
		*ret = STORE_THERE;
	else if (is_begun || (copy->file < STORE_SYMBOL_FILES &&
	                      !has_slice(copy->path, copy->uuid)))
		*ret = STORE_DAMAGED;
	else
		*ret = STORE_CLASH;
	return NULL;
}

static struct error *add_content(const struct copy *copy, enum store_added *ret)
{
	SCOPED(str_release) struct str written = { 0 };
	bool is_there = !access(copy->path, F_OK);
	struct error *err = NULL;

	if (!is_there) {
		str_addf(&written, "%s.%ld", copy->path, (long)getpid());
		err = write_file(str_cstr(&written), copy->content);
		if (!err)
			err = put_in_place(str_cstr(&written), copy->path,
			                   &is_there);
	}
	if (!err && is_there)
		return compare(copy, ret);
	if (!err)
		*ret = STORE_NEW;
	return err;
}

struct error *store_add(const char *store, const struct uuid_entry *entry,
                        struct str *path, enum store_added *ret)
{
	const struct symbol_facts facts = uuid_entry_facts(entry);
	SCOPED(file_release) struct file_data file = { 0 };
	struct copy copy = {
		.uuid = &entry->uuid,
		.file = facts.role == SYMBOL_ROLE_DEBUG ? STORE_DEBUG_INFO
		                                        : STORE_EXECUTABLE,
	};
	struct error *err;

	*ret = STORE_PASSED;
	if (uuid_is_zero(&entry->uuid) || (facts.role != SYMBOL_ROLE_DEBUG &&
	                                   facts.role != SYMBOL_ROLE_IMAGE))
		return NULL;
	err = archive_map(entry->path, &file);
	if (err)
		return err;
	if (!bytes_has(file.bytes, entry->at.offset, facts.size_bytes))
		return error_prefix(file_changed_error(), "%s", entry->path);
	copy.content =
	        bytes_part(file.bytes, entry->at.offset, facts.size_bytes);
	store_layout_add(store, &entry->uuid, copy.file, path);
	copy.path = str_cstr(path);
	return add_content(&copy, ret);
}

struct error *store_add_file(const char *store, const struct uuid *uuid,
                             enum store_file file, const char *source,
                             struct str *path, enum store_added *ret)
{
	SCOPED(file_release) struct file_data data = { 0 };
	struct copy copy = { .uuid = uuid, .file = file };
	struct error *err = archive_map(source, &data);

	if (err)
		return err;
	copy.content = data.bytes;
	store_layout_add(store, uuid, file, path);
	copy.path = str_cstr(path);
	return add_content(&copy, ret);
}
