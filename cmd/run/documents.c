// SPDX-License-Identifier: MIT
#include "cmd/run/documents.h"

#include "cmd/run/redaction.h"
#include "lib/model/redact/text.h"

void documents_begin(struct documents *documents)
{
	if (documents->several || documents->files.directory)
		return;
	documents->several = true;
	documents->options.is_part = documents->formatter->begin;
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

/** @param text  The formatted report; or NULL. */
static void put(const struct documents *documents, const struct report *report,
                struct out *text, struct out *out)
{
	if (text)
		out_move(out, text);
	else
		documents->formatter->report(report, &documents->options, out);
}

/** After the first failure, skip the rest: the disk may be full. */
static void add_file(struct documents *documents, const struct report *report,
                     struct out *text)
{
	struct out *out;

	if (documents->failure)
		return;
	documents->failure = report_files_open(&documents->files, report, &out);
	if (documents->failure)
		return;
	put(documents, report, text, out);
	documents->failure = out_close(out);
	documents->count++;
}

/** With several documents, add an entry to the list. */
static void add_entry(struct documents *documents, const struct report *report,
                      const struct page *page)
{
	if (documents->several && documents->formatter->entry && report)
		documents->formatter->entry(report, page, &documents->list);
}

void documents_add_text(struct documents *documents,
                        const struct report *report, struct out *text)
{
	if (documents->files.directory) {
		add_file(documents, report, text);
		return;
	}
	separate(documents);
	put(documents, report, text, documents->out);
	add_entry(documents, report, NULL);
	send_off(documents);
}

void documents_add_page(struct documents *documents, const struct page *page)
{
	separate(documents);
	documents->formatter->page(page, &documents->options, documents->out);
	documents->options.has_header |= page->list != NULL;
	add_entry(documents, page->report, page);
	send_off(documents);
}

static void add_redacted_failure(const struct formatter *formatter,
                                 const char *name, const struct error *err,
                                 struct out *out)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	SCOPED(error_drop)
	struct error *redacted = error_new(
	        error_code(err), "%s",
	        redact_message(redaction(), error_message(err), &arena));

	formatter->failure(redact_input(redaction(), name, &arena), redacted,
	                   out);
}

void documents_add_failure(struct documents *documents, const char *name,
                           const struct error *err)
{
	const struct formatter *formatter = documents->formatter;

	// A failure is shown after a report only if several are expected.
	if (!formatter->failure || documents->files.directory ||
	    (documents->count && !documents->several && !formatter->is_stream))
		return;
	separate(documents);
	if (redaction())
		add_redacted_failure(formatter, name, err, documents->out);
	else
		formatter->failure(name, err, documents->out);
	send_off(documents);
}

struct error *documents_end(struct documents *documents)
{
	struct error *err = documents->failure;

	if (documents->several && documents->formatter->end)
		documents->formatter->end(&documents->list, documents->out);
	documents->failure = NULL;
	return err;
}

void documents_release(struct documents *documents)
{
	str_release(&documents->list);
	error_free(documents->failure);
	report_files_release(&documents->files);
}
