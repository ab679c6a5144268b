// SPDX-License-Identifier: MIT
#include "lib/base/arena.h"
#include "parsers/input/split.h"
#include "parsers/input/stream.h"
#include "parsers/reader.h"
#include "tests/unit/read_reports.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/** A stream is cut into whole lines, none of which is lost. */
static void check_pieces(struct text rest)
{
	while (rest.size) {
		struct text piece = stream_piece(rest, true);
		size_t alone;

		if (!piece.size || (piece.size < rest.size &&
		                    piece.data[piece.size - 1] != '\n'))
			__builtin_trap();
		// What follows a piece may show its end, but not another one.
		alone = stream_piece(piece, false).size;
		if (alone && alone != piece.size)
			__builtin_trap();
		rest = text_after(rest, piece.size);
	}
}

/** The way of every input: unpacked, split, identified and read. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct bytes in = { .data = data, .size = size };
	struct split split = split_open(bytes_text(in));
	struct report *report = NULL;
	struct split_part part;
	struct error *err;
	size_t total = 0;

	check_pieces(bytes_text(in));
	while (split_next(&split, &part))
		total += part.text.size;
	err = read_reports(in, &arena, &report);
	if (total != size || !err != !!report)
		__builtin_trap();
	for (; report; report = report->next)
		if (!report->format)
			__builtin_trap();
	error_free(err);
	return 0;
}
