#include "cmd/run/documents.h"

void documents_begin(struct documents *documents)
{
	if (documents->several)
		return;
	documents->several = true;
	if (documents->formatter->begin)
		documents->formatter->begin(documents->out);
}

static void separate(struct documents *documents)
{
	const struct formatter *formatter = documents->formatter;

	if (documents->several && documents->count && formatter->between)
		formatter->between(documents->out);
	documents->count++;
}

static void send_off(struct documents *documents)
{
	if (documents->formatter->is_stream)
		out_flush(documents->out);
}

void documents_add(struct documents *documents, const struct report *report)
{
	separate(documents);
	documents->formatter->report(report, &documents->options,
	                             documents->out);
	send_off(documents);
}

void documents_add_page(struct documents *documents, const struct page *page)
{
	separate(documents);
	documents->formatter->page(page, &documents->options, documents->out);
	send_off(documents);
}

void documents_add_failure(struct documents *documents, const char *name,
                           const struct error *err)
{
	const struct formatter *formatter = documents->formatter;

	if (!formatter->failure ||
	    !(documents->several || formatter->is_stream))
		return;
	separate(documents);
	formatter->failure(name, err, documents->out);
	send_off(documents);
}

void documents_end(struct documents *documents)
{
	if (documents->several && documents->formatter->end)
		documents->formatter->end(documents->out);
}
