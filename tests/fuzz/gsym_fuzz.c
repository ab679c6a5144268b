#include "lib/symbols/gsym/gsym.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/** The first byte says how far apart the addresses looked up lie. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct gsym_answer answer;
	struct gsym gsym;
	uint64_t address;
	struct error *err;

	if (!size)
		return 0;
	err = gsym_open((struct bytes){ data + 1, size - 1 }, &gsym);
	error_free(err);
	if (err)
		return 0;
	address = gsym.base_address;
	for (unsigned i = 0; i < 16; i++, address += data[0])
		(void)gsym_lookup(&gsym, address, &arena, &answer);
	return 0;
}
