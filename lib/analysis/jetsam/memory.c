// SPDX-License-Identifier: MIT
#include "lib/analysis/jetsam/steps.h"
#include "lib/base/units.h"

static void add_row(struct jetsam_answer *answer, const char *name,
                    struct jetsam_number pages, bool is_part)
{
	struct jetsam_memory_row *row = &answer->rows[answer->row_count];

	if (!pages.known || answer->page_bytes_unsure)
		return;
	*row = (struct jetsam_memory_row){
		.name = name,
		.bytes = jetsam_to_bytes(answer, pages).value,
		.is_part = is_part,
	};
	answer->row_count++;
	if (is_part)
		return;
	answer->physical_bytes.value += row->bytes;
}

void jetsam_list_memory(struct jetsam_work *work)
{
	struct jetsam_answer *answer = work->answer;
	const struct jetsam_memory *memory = &work->report->jetsam->memory;
	const struct jetsam_number *uncompressed = &memory->uncompressed;
	const struct jetsam_number *compressor = &memory->compressor;
	uint64_t sum;

	answer->rows = arena_array(work->arena, 10, sizeof(*answer->rows));
	add_row(answer, "active", memory->active, false);
	add_row(answer, "inactive", memory->inactive, false);
	add_row(answer, "wired", memory->wired, false);
	add_row(answer, "compressor", memory->compressor, false);
	add_row(answer, "speculative", memory->speculative, false);
	add_row(answer, "throttled", memory->throttled, false);
	add_row(answer, "free", memory->free, false);
	add_row(answer, "file-backed", memory->file_backed, true);
	add_row(answer, "anonymous", memory->anonymous, true);
	add_row(answer, "purgeable", memory->purgeable, true);
	// In a truncated log, percentages would be meaningless.
	answer->physical_bytes.known = memory->active.known &&
	                               memory->inactive.known &&
	                               memory->wired.known &&
	                               memory->free.known;
	if (!answer->physical_bytes.known)
		answer->physical_bytes.value = 0;
	sum = answer->physical_bytes.value;
	for (size_t i = 0; sum && i < answer->row_count; i++) {
		struct jetsam_memory_row *row = &answer->rows[i];

		row->permille.known = true;
		row->permille.value = units_share(row->bytes, sum, 1000);
	}
	if (uncompressed->known && compressor->known && compressor->value) {
		answer->compression_percent.known = true;
		answer->compression_percent.value = units_share(
		        uncompressed->value, compressor->value, 100);
	}
}
