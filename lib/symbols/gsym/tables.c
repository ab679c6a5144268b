#include "lib/symbols/gsym/tables.h"

#include "lib/base/hash.h"
#include "lib/base/mem.h"

#include <string.h>

#define FIRST_SLOTS 1024

void gsym_tables_init(struct gsym_tables *tables)
{
	*tables = (struct gsym_tables){ .file_count = 1, .file_cap = 64 };
	tables->seed = hash_seed();
	tables->files = mem_zalloc(tables->file_cap, sizeof(*tables->files));
	str_add_char(&tables->strings, '\0');
}

void gsym_tables_release(struct gsym_tables *tables)
{
	str_release(&tables->strings);
	free(tables->string_hash.slots);
	free(tables->file_hash.slots);
	free(tables->files);
	*tables = (struct gsym_tables){ 0 };
}

/** Put a value where the search for it ended; room has been made. */
static void hash_insert(struct gsym_hash *hash, struct gsym_slot slot)
{
	size_t at = slot.hash & (hash->slot_count - 1);

	while (hash->slots[at].value)
		at = (at + 1) & (hash->slot_count - 1);
	hash->slots[at] = slot;
	hash->used++;
}

static void hash_reserve(struct gsym_hash *hash)
{
	struct gsym_hash grown = { 0 };

	if (hash->used < hash->slot_count / 3 * 2)
		return;
	grown.slot_count = hash->slot_count ? hash->slot_count * 2
	                                    : FIRST_SLOTS;
	grown.slots = mem_zalloc(grown.slot_count, sizeof(*grown.slots));
	for (size_t i = 0; i < hash->slot_count; i++) {
		if (hash->slots[i].value)
			hash_insert(&grown, hash->slots[i]);
	}
	free(hash->slots);
	*hash = grown;
}

uint32_t gsym_tables_string(struct gsym_tables *tables, const char *cstr)
{
	struct gsym_hash *hash = &tables->string_hash;
	size_t size = cstr ? strlen(cstr) : 0;
	struct gsym_slot new_slot;
	const struct gsym_slot *slot;

	if (!size)
		return 0;
	hash_reserve(hash);
	new_slot.hash = (uint32_t)hash_bytes(tables->seed, cstr, size);
	for (size_t at = new_slot.hash;; at++) {
		slot = &hash->slots[at & (hash->slot_count - 1)];
		if (!slot->value)
			break;
		if (slot->hash == new_slot.hash &&
		    !strcmp(tables->strings.data + slot->value, cstr))
			return slot->value;
	}
	if (tables->strings.size + size + 1 > UINT32_MAX) {
		tables->too_large = true;
		return 0;
	}
	new_slot.value = (uint32_t)tables->strings.size;
	str_add_bytes(&tables->strings, cstr, size + 1);
	hash_insert(hash, new_slot);
	return new_slot.value;
}

uint32_t gsym_tables_file(struct gsym_tables *tables, const char *directory,
                          const char *name)
{
	struct gsym_file file = {
		.directory = gsym_tables_string(tables, directory),
		.name = gsym_tables_string(tables, name),
	};
	struct gsym_hash *hash = &tables->file_hash;
	struct gsym_slot new_slot;
	const struct gsym_slot *slot;

	if (!file.directory && !file.name)
		return 0;
	hash_reserve(hash);
	new_slot.hash = (uint32_t)hash_bytes(tables->seed, &file, sizeof(file));
	for (size_t at = new_slot.hash;; at++) {
		slot = &hash->slots[at & (hash->slot_count - 1)];
		if (!slot->value)
			break;
		if (!memcmp(&tables->files[slot->value], &file, sizeof(file)))
			return slot->value;
	}
	if (tables->file_count >= UINT32_MAX / sizeof(file)) {
		tables->too_large = true;
		return 0;
	}
	new_slot.value = (uint32_t)tables->file_count;
	MEM_GROW(tables->files, tables->file_count, tables->file_cap);
	tables->files[tables->file_count++] = file;
	hash_insert(hash, new_slot);
	return new_slot.value;
}
