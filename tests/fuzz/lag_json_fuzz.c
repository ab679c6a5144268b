// SPDX-License-Identifier: MIT
#include "tests/unit/parsers/lag/lag_reading.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/** Gives up to seven bytes at a time. */
static size_t read_piece(void *context, char *buffer, size_t size)
{
	struct text *in = context;
	struct text piece = text_first(*in, size < 7 ? size : 7);

	if (piece.size)
		memcpy(buffer, piece.data, piece.size);
	*in = text_after(*in, piece.size);
	return piece.size;
}

/** Documents read the same in pieces; lines never fail as a whole. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct text in = { .data = (const char *)data, .size = size };
	struct text feed = in;
	struct json_pull *pull = json_pull_new_feed(read_piece, &feed, 0);
	struct lag_reading whole;
	struct lag_reading pieces;
	struct lag_reading lines;
	struct error *err;

	lag_format_of(in);
	lag_reading_begin(&whole);
	lag_reading_take(&whole, in, LAG_FORMAT_DOCUMENTS);
	lag_reading_begin(&pieces);
	err = lag_read_documents(&pieces.reader, pull);
	lag_reader_end(&pieces.reader);
	if (err)
		str_addf(&pieces.out, "error: %s\n", error_message(err));
	if (strcmp(str_cstr(&whole.out), str_cstr(&pieces.out)) != 0)
		__builtin_trap();
	lag_reading_begin(&lines);
	lag_reading_take(&lines, in, LAG_FORMAT_LINES);
	error_free(err);
	json_pull_free(pull);
	lag_reading_release(&lines);
	lag_reading_release(&pieces);
	lag_reading_release(&whole);
	return 0;
}
