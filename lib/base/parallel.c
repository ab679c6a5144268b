// SPDX-License-Identifier: MIT
#include "lib/base/parallel.h"

#include <unistd.h>

/** Some systems give other threads than the first one less. */
#define STACK_BYTES ((size_t)8 << 20)

unsigned parallel_processors(void)
{
	long count = sysconf(_SC_NPROCESSORS_ONLN);

	return count > 0 ? (unsigned)count : 1;
}

bool parallel_begin(pthread_t *thread, void *(*run)(void *argument),
                    void *argument)
{
	pthread_attr_t attributes;
	bool has_begun;

	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, STACK_BYTES);
	has_begun = !pthread_create(thread, &attributes, run, argument);
	pthread_attr_destroy(&attributes);
	return has_begun;
}
