// SPDX-License-Identifier: MIT
#include "formatters/schema.h"

#include "lib/base/text.h"

#include <stddef.h>

// Generated from formatters/schema/*.json by cmake/embed.cmake.
extern const char schema_report_text[];
extern const char schema_reports_text[];
extern const char schema_table_text[];
extern const char schema_row_text[];
extern const char schema_calltree_text[];
extern const char schema_page_text[];
extern const char schema_explain_text[];
extern const char schema_event_text[];
extern const char schema_answer_text[];
extern const char schema_uuids_text[];
extern const char schema_error_text[];
extern const char schema_config_text[];
extern const char schema_build_text[];

const struct schema schemas[] = {
	{ "apmtool.report/1", "report", "a crash report", schema_report_text },
	{ "apmtool.reports/1", "reports", "several reports",
	  schema_reports_text },
	{ "apmtool.table/1", "table", "a table", schema_table_text },
	{ "apmtool.row/1", "row", "a row of a table, alone", schema_row_text },
	{ "apmtool.calltree/1", "calltree", "a call tree",
	  schema_calltree_text },
	{ "apmtool.page/1", "page",
	  "an explained answer: verdict, facts, tables and "
	  "notes",
	  schema_page_text },
	{ "apmtool.explain/1", "explain",
	  "what a report means: verdict, cause, claims with evidence",
	  schema_explain_text },
	{ "apmtool.event/1", "event", "a report in short", schema_event_text },
	{ "apmtool.answer/1", "answer", "the answer of a filter to one frame",
	  schema_answer_text },
	{ "apmtool.uuids/1", "uuids", "the UUIDs of Mach-O files and dSYMs",
	  schema_uuids_text },
	{ "apmtool.error/1", "error", "an input that could not be read",
	  schema_error_text },
	{ "apmtool.config/1", "config", "a config file, for editors",
	  schema_config_text },
	{ "apmtool.build/1", "build", "a build in a symbol store",
	  schema_build_text },
	{ NULL, NULL, NULL, NULL },
};

const struct schema *schema_find(const char *name)
{
	struct text wanted = text_from(name);

	text_take(&wanted, "apmtool.");
	for (size_t i = 0; schemas[i].name; i++) {
		struct text full = text_from(schemas[i].name);

		text_take(&full, "apmtool.");
		if (text_equal(wanted, full) ||
		    text_is(wanted, schemas[i].word))
			return &schemas[i];
	}
	return NULL;
}
