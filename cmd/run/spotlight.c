#include "cmd/run/spotlight.h"

#ifdef __APPLE__

#include "lib/base/file.h"
#include "lib/base/str.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void spotlight_add_places(struct intern *places)
{
	SCOPED(str_release) struct str path = { 0 };
	const char *home = getenv("HOME");

	if (!home || home[0] != '/')
		return;
	str_addf(&path, "%s/Library/Developer/Xcode/Archives", home);
	if (file_is_directory(str_cstr(&path)))
		intern_add(places, str_text(&path));
}

bool spotlight_add(struct uuid_index *index, const struct uuid *uuid)
{
	char command[128], path[4096], text[UUID_TEXT_SIZE];
	size_t left = 1000;
	FILE *answer;

	// Nothing of an input but the digits of a UUID reaches the shell, and
	// no other program of the name is run.
	snprintf(command, sizeof(command),
	         "/usr/bin/mdfind 'com_apple_xcode_dsym_uuids == %s' "
	         "2>/dev/null",
	         uuid_format(uuid, text));
	answer = popen(command, "r");
	if (!answer)
		return false;
	while (fgets(path, sizeof(path), answer)) {
		path[strcspn(path, "\n")] = '\0';
		uuid_index_add_near(index, path, &left);
	}
	return !pclose(answer);
}

#else

void spotlight_add_places(struct intern *places)
{
	(void)places;
}

bool spotlight_add(struct uuid_index *index, const struct uuid *uuid)
{
	(void)index;
	(void)uuid;
	return false;
}

#endif
