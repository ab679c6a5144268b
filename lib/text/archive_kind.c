// SPDX-License-Identifier: MIT
#include "lib/text/archive_kind.h"

#include "lib/base/str.h"
#include "lib/text/gzip.h"
#include "lib/text/tar.h"
#include "lib/text/zip.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

static bool is_packed_tar(struct bytes head)
{
	uint8_t block[TAR_BLOCK_BYTES];
	struct inflater *inflater;
	size_t got = 0;

	if (!gzip_is(head))
		return false;
	inflater = inflater_new_gzip(head);
	error_free(inflater_read(inflater, block, sizeof(block), &got));
	inflater_free(inflater);
	return tar_is((struct bytes){ .data = block, .size = got });
}

bool archive_is(struct bytes head)
{
	return zip_is(head) || tar_is(head) || is_packed_tar(head);
}

/** First bytes of other compressed formats. */
static const struct {
	const char *bytes;
	const char *name;
} unread[] = {
	{ "\xfd"
	  "7zXZ",
	  "xz data" },
	{ "\x28\xb5\x2f\xfd", "zstd data" },
	{ "7z\xbc\xaf\x27\x1c", "a 7-Zip archive" },
};

/** "BZh", a level, and the start of a block, or the end of the data. */
static bool is_bzip2(struct bytes head)
{
	struct text rest = bytes_text(head);

	if (!text_take(&rest, "BZh") || !rest.size || rest.data[0] < '1' ||
	    rest.data[0] > '9')
		return false;
	rest = text_after(rest, 1);
	return text_starts(rest, "1AY&SY") ||
	       text_starts(rest, "\x17\x72\x45\x38\x50\x90");
}

const char *archive_unread_name(struct bytes head)
{
	if (is_bzip2(head))
		return "bzip2 data";
	for (size_t i = 0; i < ARRAY_SIZE(unread); i++)
		if (text_starts(bytes_text(head), unread[i].bytes))
			return unread[i].name;
	return NULL;
}

size_t archive_path_length(const char *path)
{
	SCOPED(str_release) struct str part = { 0 };
	struct stat info;

	// Most paths exist or do not: one call decides.
	if (!path[0] || !strchr(path + 1, '/') || !stat(path, &info) ||
	    errno == ENOENT)
		return 0;
	for (const char *slash = path; (slash = strchr(slash + 1, '/'));) {
		str_clear(&part);
		str_add_bytes(&part, path, (size_t)(slash - path));
		if (stat(str_cstr(&part), &info))
			return 0;
		if (S_ISREG(info.st_mode))
			return part.size;
	}
	return 0;
}
