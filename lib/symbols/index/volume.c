// SPDX-License-Identifier: MIT
#include "lib/symbols/index/volume.h"

#include "lib/base/mem.h"

#include <dirent.h>
#include <string.h>

bool volume_is_mounted_in(const char *path)
{
	// The last two have a directory per user.
	static const char *const places[] = { "/Volumes", "/mnt", "/media",
		                              "/run/media" };

	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		size_t size = strlen(places[i]);

		if (strncmp(path, places[i], size) != 0)
			continue;
		if (!path[size])
			return true;
		if (i >= 2 && path[size] == '/' &&
		    !strchr(path + size + 1, '/'))
			return true;
	}
	return false;
}

static bool is_empty(DIR *dir)
{
	const struct dirent *entry;

	while ((entry = readdir(dir)))
		if (strcmp(entry->d_name, ".") != 0 &&
		    strcmp(entry->d_name, "..") != 0)
			return false;
	return true;
}

bool volume_may_hold(const char *path)
{
	SCOPED(mem_drop) char *parent = mem_strndup(path, strlen(path));
	DIR *dir = NULL;
	char *slash;
	bool ret;

	while (!dir && (slash = strrchr(parent, '/')) && slash > parent) {
		*slash = '\0';
		dir = opendir(parent);
	}
	if (!dir)
		return false;
	ret = volume_is_mounted_in(parent) || is_empty(dir);
	closedir(dir);
	return ret;
}
