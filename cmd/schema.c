// SPDX-License-Identifier: MIT
#include "formatters/schema.h"

#include "cmd/command.h"
#include "cmd/console.h"
#include "cmd/run/output.h"

static void list_schemas(struct str *text)
{
	for (size_t i = 0; schemas[i].name; i++)
		str_addf(text, "%-18s  %s\n", schemas[i].name,
		         schemas[i].summary);
}

static enum exit_status schema_run(const struct command_line *line)
{
	SCOPED(str_release) struct str text = { 0 };

	if (!line->operand_count)
		list_schemas(&text);
	for (size_t i = 0; i < line->operand_count; i++) {
		const struct schema *schema = schema_find(line->operands[i]);
		SCOPED(error_drop) struct error *err = NULL;

		if (!schema) {
			err = error_new(ERROR_USAGE,
			                "no schema named '%s': 'apmtool "
			                "schema' lists them",
			                line->operands[i]);
			notice_error(&console, NULL, err);
			return EXIT_USAGE;
		}
		str_add(&text, schema->text);
	}
	return output_print(&console, &text);
}

/** The short name at @p index; NULL past the last. */
static const char *schema_name_at(unsigned set, size_t index)
{
	(void)set;
	return schemas[index].word;
}

static const struct option_names names = { schema_name_at };

static const struct example examples[] = {
	{ "apmtool schema", "list the schemas" },
	{ "apmtool schema report > report.schema.json",
	  "the schema of `symbolicate --format json`" },
	{ "apmtool schema report | grep '\"title\"'", "its name and version" },
	{ NULL, NULL },
};

const struct command schema_command = {
	.name = "schema",
	.topic = COMMAND_TOOLS,
	.summary = "print the JSON Schemas of the output",
	.operands = "[<name>...]",
	.operand_names = &names,
	.description = "Without a name, lists the schemas. A name is the "
	               "value of the member `schema` of a document, such as "
	               "`apmtool.report/1`, or its middle part, `report`. The "
	               "schemas follow JSON Schema 2020-12.",
	.examples = examples,
	.run = schema_run,
};
