#include "parsers/crash_text/reader.h"

void crash_text_begin_part(struct crash_text_reader *reader,
                           enum crash_text_part part,
                           void (*end)(struct crash_text_reader *reader))
{
	crash_text_end_part(reader);
	reader->part = part;
	reader->end_part = end;
}

void crash_text_end_part(struct crash_text_reader *reader)
{
	void (*end)(struct crash_text_reader * reader) = reader->end_part;

	reader->part = CRASH_TEXT_LABELS;
	reader->end_part = NULL;
	if (end)
		end(reader);
}
