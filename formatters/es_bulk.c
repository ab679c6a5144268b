// SPDX-License-Identifier: MIT
/*
 * The `es-bulk` format: lines for the bulk interface of OpenSearch and
 * Elasticsearch. Each document follows a line with its destination:
 *
 *     {"index":{"_index":"apm-events-2026.01.31","_id":"…"}}
 *     {"schema":"apmtool.event/1",…}
 *
 * A report is an event; each row of a table is a document. The index has the
 * document's day in UTC, and the id is the report's, so that a repeated upload
 * does not duplicate it. Documents do not contain the name of the input, which
 * differs from run to run.
 */
#include "formatters/formatter.h"
#include "formatters/report/json/event.h"
#include "formatters/report/json/report.h"
#include "formatters/table/formats.h"
#include "lib/base/sha256.h"
#include "lib/base/timestamp.h"
#include "lib/model/explanation.h"

#include <string.h>

/** Max 512 bytes for an `_id`; an invalid byte becomes three. */
#define ID_BYTES_MAX (512 / 3)
/** Bytes of a digest in an id. */
#define ID_DIGEST_BYTES 16

/** When a document is of; all zeros: not known. */
struct instant {
	struct str iso;
	struct timestamp_text utc;
};

static void instant_release(struct instant *instant)
{
	str_release(&instant->iso);
}

static void read_instant(const char *date, struct instant *ret)
{
	int64_t ms;

	if (!date || !timestamp_parse(text_from(date), &ms) ||
	    !timestamp_add_iso(text_from(date), &ret->iso))
		return;
	ret->utc = timestamp_utc(ms / 1000, 'T');
}

static const char *instant_text(const struct instant *instant)
{
	return instant->iso.size ? str_cstr(&instant->iso) : NULL;
}

/** `apm-events-2026.01.31`, or `apm-events-undated`. */
static void add_index(const char *name, const struct instant *instant,
                      struct str *out)
{
	const char *utc = instant->utc.text;

	str_add(out, name);
	if (instant->iso.size)
		str_addf(out, "-%.4s.%.2s.%.2s", utc, utc + 5, utc + 8);
	else
		str_add(out, "-undated");
}

static void add_digest(struct text bytes, struct str *out)
{
	struct sha256 hash;
	uint8_t digest[SHA256_SIZE];

	sha256_init(&hash);
	sha256_add(&hash, bytes);
	sha256_finish(&hash, digest);
	for (size_t i = 0; i < ID_DIGEST_BYTES; i++)
		str_add_hex(out, digest[i], 2);
}

static void add_action(enum bulk_op op, const struct str *index,
                       const struct str *id, struct out *out)
{
	struct json_writer w = json_writer_compact(out);

	json_open_object(&w, NULL);
	json_open_object(&w, op == BULK_CREATE ? "create" : "index");
	json_text(&w, "_index", str_cstr(index));
	json_text(&w, "_id", str_cstr(id));
	json_close(&w);
	json_close(&w);
	json_finish(&w);
}

/**
 * The incident identifier. A report without one, as MetricKit's, is identified
 * by its whole contents: events of two devices may be equal.
 */
static void add_report_id(const struct report *report, struct str *out)
{
	struct out *memory;
	struct json_writer w;

	if (report->incident && *report->incident &&
	    strlen(report->incident) <= ID_BYTES_MAX) {
		str_add(out, report->incident);
		return;
	}
	memory = out_memory();
	w = json_writer_compact(memory);
	json_add_report(&w, report);
	add_digest(str_text(out_str(memory)), out);
	out_abandon(memory);
}

static void add_event(const struct report *report,
                      const struct explanation *explanation, enum bulk_op op,
                      struct out *out)
{
	SCOPED(instant_release) struct instant instant = { 0 };
	SCOPED(str_release) struct str index = { 0 };
	SCOPED(str_release) struct str id = { 0 };
	struct report nameless = *report;
	struct json_writer w = json_writer_compact(out);

	nameless.input = NULL;
	nameless.explanation = explanation;
	read_instant(report->date_time, &instant);
	add_index("apm-events", &instant, &index);
	add_report_id(&nameless, &id);
	add_action(op, &index, &id, out);
	json_add_event(&w, &nameless, instant_text(&instant));
}

static void es_bulk_report(const struct report *report,
                           const struct format_options *options,
                           struct out *out)
{
	add_event(report, report->explanation, options->bulk_op, out);
}

static const char *date_of(const struct table *table, size_t row)
{
	const struct table_measures *measures = table->measures;
	const struct table_cell *cell =
	        measures && measures->time
	                ? table_find_cell(table, row, measures->time)
	                : NULL;

	return cell ? cell->text : NULL;
}

static void add_row(const struct table *table, size_t row, enum bulk_op op,
                    struct out *out)
{
	SCOPED(instant_release) struct instant instant = { 0 };
	SCOPED(str_release) struct str name = { 0 };
	SCOPED(str_release) struct str index = { 0 };
	SCOPED(str_release) struct str id = { 0 };
	struct out *document = out_memory();
	struct json_writer w = json_writer_compact(document);

	read_instant(date_of(table, row), &instant);
	str_addf(&name, "apm-rows-%s", table->name);
	add_index(str_cstr(&name), &instant, &index);
	json_add_row(&w, table, row, instant_text(&instant));
	add_digest(str_text(out_str(document)), &id);
	add_action(op, &index, &id, out);
	out_move(out, document);
	out_abandon(document);
}

static void es_bulk_table(const struct table *table,
                          const struct format_options *options, struct out *out)
{
	for (size_t row = 0; row < table->row_count; row++)
		add_row(table, row, options->bulk_op, out);
}

/** The report that it is about, or the list that it rests on. */
static void es_bulk_page(const struct page *page,
                         const struct format_options *options, struct out *out)
{
	const struct explanation *explanation = page->explanation;

	if (explanation)
		add_event(explanation->report, explanation, options->bulk_op,
		          out);
	else if (page->report)
		es_bulk_report(page->report, options, out);
	else if (page->list)
		es_bulk_table(page->list, options, out);
}

const struct formatter es_bulk_formatter = {
	.name = "es-bulk",
	.summary = "documents for OpenSearch's and Elasticsearch's _bulk",
	.extension = "ndjson",
	.is_stream = true,
	.explains = true,
	.signs = true,
	.counts = true,
	.has_bulk_ops = true,
	.report = es_bulk_report,
	.table = es_bulk_table,
	.page = es_bulk_page,
};
