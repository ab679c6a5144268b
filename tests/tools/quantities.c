// SPDX-License-Identifier: MIT
/**
 * Test only: read quantities.
 *
 *     quantities < CASES
 *
 * A line of the input has a region (or nothing), a kind (`duration`, `size`)
 * and a text, with tabs between them. Prints for each the number in
 * microseconds or bytes, or `-` where the text is not understood.
 */
#include "lib/base/compiler.h"
#include "lib/base/str.h"
#include "lib/darwin/quantity.h"

#include <inttypes.h>
#include <stdio.h>

/** Cut the text up to the next tab off @p rest. */
static struct text take_cell(struct text *rest)
{
	size_t end = text_find_char(*rest, '\t');
	struct text cell = text_first(*rest, end);

	*rest = text_after(*rest, end == TEXT_NOWHERE ? rest->size : end + 1);
	return cell;
}

static void answer(struct text line)
{
	SCOPED(str_release) struct str region = { 0 };
	struct quantity_writer writer = { 0 };
	enum quantity_kind kind;
	uint64_t value;

	str_add_text(&region, take_cell(&line));
	writer.region = str_cstr(&region);
	kind = text_is(take_cell(&line), "size") ? QUANTITY_SIZE
	                                         : QUANTITY_DURATION;
	if (quantity_read(line, kind, &writer, &value))
		printf("%" PRIu64 "\n", value);
	else
		puts("-");
}

int main(void)
{
	char line[1024];

	while (fgets(line, sizeof(line), stdin)) {
		struct text text = text_from(line);

		if (text_ends(text, "\n"))
			text.size--;
		answer(text);
	}
	return 0;
}
