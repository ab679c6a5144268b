// SPDX-License-Identifier: MIT
#include "lib/symbols/cache/cache_entry.h"
#include "lib/symbols/index/uuid_catalog.h"

#include "lib/base/mem.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/** As `index --verify` and a look-up go through an entry. */
static void read_entry(struct bytes file)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct gsym_answer answer;
	struct cache_entry entry;
	struct error *err = cache_entry_read(file, &entry);
	uint64_t address;

	error_free(err);
	if (err)
		return;
	address = entry.gsym.base_address;
	for (unsigned k = 0; entry.image.size && k < 16; k++, address += 64)
		(void)gsym_lookup(&entry.gsym, address, &arena, &answer);
	(void)cache_entry_is_sound(&entry);
	cache_entry_release(&entry);
}

static void read_catalog(struct bytes file)
{
	struct uuid_catalog *catalog = NULL;
	struct error *err = uuid_catalog_read(file, &catalog);
	struct catalog_item item;
	size_t first;

	error_free(err);
	if (err)
		return;
	for (size_t i = 0; i < uuid_catalog_count(catalog) && i < 256; i++)
		if (uuid_catalog_item(catalog, i, &item))
			(void)uuid_catalog_find(catalog, &item.uuid, &first);
	for (size_t i = 0; i < uuid_catalog_root_count(catalog) && i < 256; i++)
		(void)uuid_catalog_root(catalog, i);
	(void)uuid_catalog_is_sound(catalog);
	uuid_catalog_close(catalog);
}

/** Put the checksum of @p range at its end, so that what it guards is read. */
static void set_sum(uint8_t *bytes, size_t first, size_t end)
{
	uint64_t sum = guard_sum((struct bytes){ bytes + first, end - first });

	for (unsigned i = 0; i < 8; i++)
		bytes[end + i] = (uint8_t)(sum >> 8 * i);
}

/** What the checksums do not let through is read as well, with right ones. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	SCOPED(mem_drop) uint8_t *copy = mem_alloc(size);

	read_entry((struct bytes){ data, size });
	read_catalog((struct bytes){ data, size });
	if (size < 256)
		return 0;
	memcpy(copy, data, size);
	set_sum(copy, size - 256, size - 8);
	read_entry((struct bytes){ copy, size });
	memcpy(copy, data, size);
	set_sum(copy, 0, 56);
	read_catalog((struct bytes){ copy, size });
	return 0;
}
