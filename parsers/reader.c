#include "parsers/reader.h"

const struct reader *const readers[] = {
#define READER(name, file) &name##_reader,
#include "parsers/parsers.def"
#undef READER
	NULL,
};

void sink_report(struct sink *sink, struct report *report)
{
	if (sink->last)
		sink->last->next = report;
	else
		sink->first = report;
	for (; report; report = report->next)
		sink->last = report;
}

struct sink sink_part(const struct sink *sink)
{
	struct sink part = *sink;

	part.first = part.last = NULL;
	return part;
}

const struct reader *reader_find(const struct envelope *in, bool is_binary,
                                 unsigned yields)
{
	for (size_t i = 0; readers[i]; i++)
		if (readers[i]->yields & yields &&
		    readers[i]->is_binary == is_binary && readers[i]->sniff(in))
			return readers[i];
	return NULL;
}

const struct reader *reader_of_head(struct text head, unsigned yields)
{
	struct envelope in = { .text = text_first(head, READER_HEAD_BYTES) };

	yields &= ~(unsigned)YIELDS_ANY_REPORT;
	if (!yields)
		return NULL;
	in.names = json_shape(text_trim_left(in.text)).names;
	return reader_find(&in, false, yields);
}

bool reader_sniff(const struct reader *reader, struct text in)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	SCOPED(envelope_release)
	struct envelope envelope = envelope_open(in, &arena);

	return reader->sniff(&envelope);
}

struct error *reader_read(const struct reader *reader, struct text in,
                          struct arena *arena, struct report **ret)
{
	struct sink sink = { .arena = arena };
	SCOPED(envelope_release)
	struct envelope envelope = envelope_open(in, arena);
	struct error *err = reader->read(&envelope, &sink);
	struct found found;

	if (err)
		return err;
	if (!sink.first) {
		found = found_unknown(in, arena);
		return found_refuse(&found, reader->yields);
	}
	*ret = sink.first;
	return NULL;
}
