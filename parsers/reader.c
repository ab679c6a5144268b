// SPDX-License-Identifier: MIT
#include "parsers/reader.h"

#include "lib/base/str.h"

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

void sink_notice(const struct sink *sink, enum notice_kind kind,
                 const char *place, const char *text)
{
	SCOPED(str_release) struct str whole = { 0 };
	struct notice notice = { .kind = kind, .text = text };

	if (!sink->notice)
		return;
	if (sink->member)
		str_addf(&whole, "%s%s", sink->member, place ? ": " : "");
	if (place)
		str_add(&whole, place);
	notice.place = whole.size ? str_cstr(&whole) : NULL;
	sink->notice(&notice, sink);
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
	const struct reader *found;

	yields &= ~(unsigned)YIELDS_ANY_REPORT;
	if (!yields)
		return NULL;
	found = reader_find(&in, true, yields);
	if (found)
		return found;
	in.names = json_shape(text_trim_left(in.text)).names;
	return reader_find(&in, false, yields);
}

struct error *reader_read_feed(const struct reader *reader, json_pull_read feed,
                               void *context, struct sink *sink)
{
	SCOPED(json_pull_drop)
	struct json_pull *pull = json_pull_new_feed(feed, context, 0);

	return reader->read(&(struct envelope){ .pull = pull }, sink);
}

struct error *reader_read_lines(const struct reader *reader, struct text lines,
                                size_t line, struct sink *sink)
{
	const struct envelope in = { .text = lines,
		                     .line = line,
		                     .goes_on = true };

	return reader->read(&in, sink);
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
