#include "lib/symbols/gsym/gsym.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/** The first byte says how far apart the addresses looked up lie. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct gsym_answer answer;
	struct gsym gsym;
	struct gsym_walk walk = { .gsym = &gsym };
	uint64_t addresses[16];
	struct error *err;

	if (!size)
		return 0;
	err = gsym_open((struct bytes){ data + 1, size - 1 }, &gsym);
	error_free(err);
	if (err)
		return 0;
	for (unsigned i = 0; i < ARRAY_SIZE(addresses); i++)
		addresses[i] = gsym.base_address + i * (uint64_t)data[0];
	gsym_walk_fetch(&walk, addresses, ARRAY_SIZE(addresses));
	for (unsigned i = 0; i < ARRAY_SIZE(addresses); i++)
		(void)gsym_lookup(&gsym, addresses[i], &arena, &answer);
	return 0;
}
