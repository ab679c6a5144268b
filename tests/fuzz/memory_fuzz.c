// SPDX-License-Identifier: MIT
#include "lib/analysis/jetsam/evidence.h"
#include "parsers/reader.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/** Whatever is read has a limit, and a page with all of them. */
static void judge(struct report *report, struct arena *arena)
{
	const struct page *page;

	if (!jetsam_has_evidence(report))
		abort();
	jetsam_take_evidence(report, arena);
	page = jetsam_evidence_page(report, true, arena);
	if (page->list->row_count != report->memory_limit_count ||
	    !page->verdict_count)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct reader *const ours[] = { &memory_reader,
		                                     &memory_plist_reader,
		                                     &memory_text_reader };
	struct text in = { .data = (const char *)data, .size = size };

	for (size_t i = 0; i < ARRAY_SIZE(ours); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		SCOPED(error_drop) struct error *err = NULL;
		struct report *report = NULL;

		if (!reader_sniff(ours[i], in))
			continue;
		err = reader_read(ours[i], in, &arena, &report);
		if (!err != !!report)
			abort();
		if (report)
			judge(report, &arena);
	}
	return 0;
}
