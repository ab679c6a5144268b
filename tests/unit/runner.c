// SPDX-License-Identifier: MIT
/*
 * The unit tests of one folder: `FOLDER_tests NAME` runs those of NAME_test.c,
 * without NAME it lists them. tests.def is generated (CMakeLists.txt).
 */
#include <stdio.h>
#include <string.h>

#define TEST(name) int name##_tests(void);
#include "tests.def"
#undef TEST

static const struct {
	const char *name;
	int (*run)(void);
} files[] = {
#define TEST(name) { #name, name##_tests },
#include "tests.def"
#undef TEST
};

/* What this program does when a test has executed it: spawner_test.c has it. */
__attribute__((weak)) void serve_as_spawner(void);

int main(int count, char **words)
{
	if (!strcmp(words[0], "apmtool-reader") && serve_as_spawner)
		serve_as_spawner();
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		if (count < 2)
			puts(files[i].name);
		else if (!strcmp(words[1], files[i].name))
			return files[i].run();
	}
	return count < 2 ? 0 : 2;
}
