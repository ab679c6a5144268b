// SPDX-License-Identifier: MIT
#include "lib/base/mapping.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

/** An entry being filled. */
#define RESERVED ((uintptr_t)1)

// A signal handler cannot lock: entries are taken and released atomically.
static struct mapping {
	atomic_uintptr_t start; ///< 0: free
	atomic_size_t size;
	atomic_bool has_shrunk;
} mappings[MAPPINGS_MAX];

/** Entries from here on were never used, and are not searched. */
static atomic_size_t used;

static struct mapping *find(uintptr_t address)
{
	size_t count = atomic_load(&used);

	for (size_t i = 0; i < count; i++) {
		uintptr_t start = atomic_load(&mappings[i].start);

		if (start > RESERVED && address >= start &&
		    address - start < atomic_load(&mappings[i].size))
			return &mappings[i];
	}
	return NULL;
}

static void replace_page(int number, siginfo_t *info, void *context)
{
	uintptr_t address = (uintptr_t)info->si_addr;
	size_t page_size = (size_t)sysconf(_SC_PAGESIZE);
	struct mapping *mapping = find(address);
	void *page = (void *)(address & ~(page_size - 1));

	(void)context;
	if (mapping &&
	    mmap(page, page_size, PROT_READ,
	         MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == page)
		atomic_store(&mapping->has_shrunk, true);
	else
		// It happens again at once, and ends the process.
		signal(number, SIG_DFL);
}

static void install(void)
{
	struct sigaction action = { .sa_flags = SA_SIGINFO | SA_RESTART };

	action.sa_sigaction = replace_page;
	sigemptyset(&action.sa_mask);
	sigaction(SIGBUS, &action, NULL);
}

static void count_used(size_t count)
{
	size_t before = atomic_load(&used);

	while (before < count &&
	       !atomic_compare_exchange_weak(&used, &before, count))
		;
}

bool mapping_guard(const void *data, size_t size)
{
	install();
	for (size_t i = 0; i < MAPPINGS_MAX; i++) {
		uintptr_t none = 0;

		if (!atomic_compare_exchange_strong(&mappings[i].start, &none,
		                                    RESERVED))
			continue;
		count_used(i + 1);
		atomic_store(&mappings[i].size, size);
		atomic_store(&mappings[i].has_shrunk, false);
		atomic_store(&mappings[i].start, (uintptr_t)data);
		return true;
	}
	return false;
}

void mapping_unguard(const void *data)
{
	size_t count = atomic_load(&used);

	for (size_t i = 0; i < count; i++) {
		uintptr_t start = (uintptr_t)data;

		if (atomic_compare_exchange_strong(&mappings[i].start, &start,
		                                   0))
			return;
	}
}

bool mapping_holds(const void *data, size_t size)
{
	const struct mapping *mapping = find((uintptr_t)data);

	return mapping &&
	       size <= atomic_load(&mapping->size) -
	                       ((uintptr_t)data - atomic_load(&mapping->start));
}

bool mapping_has_shrunk(const void *byte)
{
	const struct mapping *mapping = find((uintptr_t)byte);

	return mapping && atomic_load(&mapping->has_shrunk);
}
