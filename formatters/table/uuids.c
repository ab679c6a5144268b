#include "formatters/table/uuids.h"

#include "formatters/table/formats.h"

void uuids_text(const struct table *table, struct out *out)
{
	for (size_t row = 0; row < table->row_count; row++) {
		out_addf(out, "UUID: %s (%s) ", table_cell(table, row, 0)->text,
		         table_cell(table, row, 1)->text);
		out_add_visible(out, table_cell(table, row, 2)->text);
		out_add(out, "\n");
	}
}

void uuids_json(const struct table *table, struct out *out)
{
	struct json_writer writer = json_writer_to(out);

	json_open_object(&writer, NULL);
	json_text(&writer, "schema", "apmtool.uuids/1");
	json_add_rows(&writer, "slices", table);
	json_close(&writer);
	json_finish(&writer);
}
