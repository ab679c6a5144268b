// SPDX-License-Identifier: MIT
#include "lib/symbols/index/store_write.h"

#include "lib/base/out.h"
#include "lib/symbols/index/store_layout.h"
#include "lib/text/archive.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/** Make the directories that a file is to lie in. */
static struct error *make_directories(const char *path)
{
	SCOPED(str_release) struct str part = { 0 };

	for (const char *end = strchr(path + 1, '/'); end;
	     end = strchr(end + 1, '/')) {
		str_clear(&part);
		str_add_bytes(&part, path, (size_t)(end - path));
		if (mkdir(str_cstr(&part), 0777) && errno != EEXIST)
			return error_os(errno, "cannot make '%s'",
			                str_cstr(&part));
	}
	return NULL;
}

static struct error *write_file(const char *path, struct bytes content)
{
	struct error *err = make_directories(path);
	struct out *out;

	if (!err)
		err = out_open(path, &out);
	if (err)
		return err;
	out_set_content(out, OUT_BINARY);
	out_add_bytes(out, content.data, content.size);
	return out_close(out);
}

/**
 * Give a file that was written beside its place its name there, which another
 * process may have taken meanwhile.
 */
static struct error *put_in_place(const char *written, const char *path,
                                  bool *ret_is_there)
{
	int failed = link(written, path) ? errno : 0;

	unlink(written);
	*ret_is_there = failed == EEXIST;
	return failed && failed != EEXIST
	               ? error_os(failed, "cannot make '%s'", path)
	               : NULL;
}

/** Compare what is there. */
static struct error *compare(const char *path, struct bytes content,
                             enum store_added *ret)
{
	SCOPED(file_release) struct file_data there = { 0 };
	struct error *err = file_map(path, &there);

	if (err)
		return err;
	*ret = there.bytes.size == content.size &&
	                       !memcmp(there.bytes.data, content.data,
	                               content.size)
	               ? STORE_THERE
	               : STORE_CLASH;
	return NULL;
}

static struct error *add_content(const char *path, struct bytes content,
                                 enum store_added *ret)
{
	SCOPED(str_release) struct str written = { 0 };
	bool is_there = !access(path, F_OK);
	struct error *err = NULL;

	if (!is_there) {
		str_addf(&written, "%s.%ld", path, (long)getpid());
		err = write_file(str_cstr(&written), content);
		if (!err)
			err = put_in_place(str_cstr(&written), path, &is_there);
	}
	if (!err && is_there)
		return compare(path, content, ret);
	if (!err)
		*ret = STORE_NEW;
	return err;
}

struct error *store_add(const char *store, const struct uuid_entry *entry,
                        enum store_added *ret)
{
	const struct symbol_facts facts = uuid_entry_facts(entry);
	size_t layout = facts.role == SYMBOL_ROLE_DEBUG ? STORE_DEBUG_INFO
	                                                : STORE_EXECUTABLE;
	SCOPED(file_release) struct file_data file = { 0 };
	SCOPED(str_release) struct str path = { 0 };
	struct error *err;
	uint64_t offset = entry->at.offset;
	uint64_t size = facts.size_bytes;

	*ret = STORE_PASSED;
	if (uuid_is_zero(&entry->uuid) || (facts.role != SYMBOL_ROLE_DEBUG &&
	                                   facts.role != SYMBOL_ROLE_IMAGE))
		return NULL;
	err = archive_map(entry->path, &file);
	if (err)
		return err;
	if (offset > file.bytes.size || size > file.bytes.size - offset)
		return error_prefix(file_changed_error(), "%s", entry->path);
	store_layout_add(store, &entry->uuid, layout, &path);
	return add_content(str_cstr(&path),
	                   (struct bytes){ .data = file.bytes.data + offset,
	                                   .size = (size_t)size },
	                   ret);
}
