// SPDX-License-Identifier: MIT
/*
 * The `sarif` format: rows of a table as results of SARIF 2.1.0 (OASIS), for
 * code scanning services; see formatter.h for the columns. A row that is not
 * marked has no result. Additional columns: `status`, the second part of the
 * rule; `headline`, a title with its place; `hash`, the identity of a result;
 * `signature` or `key`, the subject if no file is known. All numbers are
 * properties of the result, with origins and units of costs.
 */
#include "formatters/formatter.h"
#include "formatters/table/marks.h"
#include "lib/base/number.h"
#include "lib/text/json/writer.h"

#include <string.h>

#define SCHEMA                                                        \
	"https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/" \
	"schemas/sarif-schema-2.1.0.json"

/** `diff/new`, or the table's name. */
static void add_rule_name(const struct table *table, size_t row,
                          struct str *out)
{
	SCOPED(str_release) struct str status = { 0 };

	str_add(out, table->name);
	if (mark_value(table, row, "status", &status)) {
		str_add_char(out, '/');
		str_add_text(out, str_text(&status));
	}
}

/** A path as a URI, percent-encoded. */
static void add_uri(struct text path, struct str *out)
{
	str_add(out, text_starts(path, "/") ? "file://" : "");
	for (size_t i = 0; i < path.size; i++) {
		char c = path.data[i];

		if (text_is_alnum(c) || (c && strchr("/-._~", c)))
			str_add_char(out, c);
		else
			str_addf(out, "%%%02X", (unsigned char)c);
	}
}

static void add_file(struct json_writer *w, const struct table *table,
                     size_t row, struct text file)
{
	SCOPED(str_release) struct str line = { 0 };
	SCOPED(str_release) struct str uri = { 0 };
	uint64_t number = 0;

	add_uri(file, &uri);
	json_open_object(w, "physicalLocation");
	json_open_object(w, "artifactLocation");
	json_text(w, "uri", str_cstr(&uri));
	json_close(w);
	// For a whole file, services require line 1.
	if (!mark_value(table, row, "line", &line) ||
	    !number_decimal(str_text(&line), &number) || !number)
		number = 1;
	json_open_object(w, "region");
	json_number(w, "startLine", number);
	json_close(w);
	json_close(w);
}

/** The subject of the row: a signature, or a function. */
static bool find_construct(const struct table *table, size_t row,
                           struct str *ret)
{
	return mark_value(table, row, "signature", ret) ||
	       mark_value(table, row, "key", ret);
}

/**
 * The file, if known, and the subject: a crash in code without debug
 * information, or a kill for memory, has no file.
 */
static void add_location(struct json_writer *w, const struct table *table,
                         size_t row)
{
	SCOPED(str_release) struct str file = { 0 };
	SCOPED(str_release) struct str construct = { 0 };
	bool has_file = mark_value(table, row, "file", &file);
	bool has_construct = find_construct(table, row, &construct);

	if (!has_file && !has_construct)
		return;
	json_open_array(w, "locations");
	json_open_object(w, NULL);
	if (has_file)
		add_file(w, table, row, str_text(&file));
	if (has_construct) {
		json_open_array(w, "logicalLocations");
		json_open_object(w, NULL);
		json_text(w, "fullyQualifiedName", str_cstr(&construct));
		json_close(w);
		json_close(w);
	}
	json_close(w);
	json_close(w);
}

/** The properties of a cost: its origin, and its unit. */
static bool is_mark_of_cost(const struct table_column *column)
{
	return text_ends(text_from(column->key), "cost_origin") ||
	       !strcmp(column->key, "unit");
}

static void add_numbers(struct json_writer *w, const struct table *table,
                        size_t row)
{
	bool has_any = false;

	for (size_t i = 0; i < table->column_count; i++) {
		const struct table_column *column = &table->columns[i];
		const struct table_cell *cell = table_cell(table, row, i);
		bool is_decimal = column->kind == TABLE_DECIMAL;
		bool is_mark = is_mark_of_cost(column);

		if (!cell->present || !strcmp(column->key, "line") ||
		    (!is_decimal && !is_mark && column->kind != TABLE_NUMBER))
			continue;
		if (!has_any)
			json_open_object(w, "properties");
		has_any = true;
		if (is_mark)
			json_text(w, column->key, cell->text);
		else if (is_decimal)
			json_decimal(w, column->key, cell->text);
		else
			json_number(w, column->key, cell->number);
	}
	if (has_any)
		json_close(w);
}

static void add_result(struct json_writer *w, const struct table *table,
                       size_t row, enum mark_level level)
{
	static const char *const levels[] = {
		[MARK_NOTICE] = "note",
		[MARK_WARNING] = "warning",
		[MARK_ERROR] = "error",
	};
	SCOPED(str_release) struct str text = { 0 };
	SCOPED(str_release) struct str rule = { 0 };

	add_rule_name(table, row, &rule);
	json_open_object(w, NULL);
	json_text(w, "ruleId", str_cstr(&rule));
	json_text(w, "level", levels[level]);
	json_open_object(w, "message");
	if (mark_value(table, row, "headline", &text) ||
	    mark_value(table, row, "title", &text))
		str_add(&text, ": ");
	mark_add_message(table, row, &text);
	json_text(w, "text", str_cstr(&text));
	json_close(w);
	add_location(w, table, row);
	if (mark_value(table, row, "hash", &text)) {
		json_open_object(w, "partialFingerprints");
		json_text(w, "signature/v1", str_cstr(&text));
		json_close(w);
	}
	add_numbers(w, table, row);
	json_close(w);
}

/** The rule for the status of a row. */
static const struct table_rule *find_rule(const struct table *table, size_t row)
{
	static const struct table_rule unknown = {
		.what = "A row of a table of apmtool",
		.meaning = "The name of the rule is that of the table.",
		.help = "The manual of the command describes the table.",
	};
	SCOPED(str_release) struct str status = { 0 };

	mark_value(table, row, "status", &status);
	for (const struct table_rule *at = table->rules; at && at->what; at++)
		if (!at->status || text_is(str_text(&status), at->status))
			return at;
	return &unknown;
}

static void add_message(struct json_writer *w, const char *key,
                        const char *text)
{
	json_open_object(w, key);
	json_text(w, "text", text);
	json_close(w);
}

static void add_rule(struct json_writer *w, const char *id,
                     const struct table_rule *rule)
{
	json_open_object(w, NULL);
	json_text(w, "id", id);
	add_message(w, "shortDescription", rule->what);
	add_message(w, "fullDescription", rule->meaning);
	add_message(w, "help", rule->help);
	json_close(w);
}

/** Each rule that a result names, once. */
static void add_rules(struct json_writer *w, const struct table *table)
{
	SCOPED(str_release) struct str seen = { 0 };

	json_open_array(w, "rules");
	for (size_t row = 0; row < table->row_count; row++) {
		SCOPED(str_release) struct str rule = { 0 };
		SCOPED(str_release) struct str key = { 0 };

		if (mark_level_of(table, row) == MARK_NONE)
			continue;
		add_rule_name(table, row, &rule);
		str_addf(&key, "\n%s\n", str_cstr(&rule));
		if (text_find(str_text(&seen), str_cstr(&key)) != TEXT_NOWHERE)
			continue;
		str_add_text(&seen, str_text(&key));
		add_rule(w, str_cstr(&rule), find_rule(table, row));
	}
	json_close(w);
}

static void sarif_table(const struct table *table,
                        const struct format_options *options UNUSED,
                        struct out *out)
{
	struct json_writer w = json_writer_to(out);

	json_open_object(&w, NULL);
	json_text(&w, "$schema", SCHEMA);
	json_text(&w, "version", "2.1.0");
	json_open_array(&w, "runs");
	json_open_object(&w, NULL);
	json_open_object(&w, "tool");
	json_open_object(&w, "driver");
	json_text(&w, "name", "apmtool");
	json_text(&w, "semanticVersion", APMTOOL_VERSION);
	add_rules(&w, table);
	json_close(&w);
	json_close(&w);
	json_open_array(&w, "results");
	for (size_t row = 0; row < table->row_count; row++) {
		enum mark_level level = mark_level_of(table, row);

		if (level != MARK_NONE)
			add_result(&w, table, row, level);
	}
	json_close(&w);
	json_close(&w);
	json_close(&w);
	json_close(&w);
	json_finish(&w);
}

const struct formatter sarif_formatter = {
	.name = "sarif",
	.summary = "results for code scanning services (SARIF 2.1.0)",
	.table = sarif_table,
};
