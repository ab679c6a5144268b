// SPDX-License-Identifier: MIT
/**
 * The JSON Schemas of apmtool's output and of config files, for `apmtool
 * schema`. The build embeds the files of formatters/schema/.
 */
#ifndef APMTOOL_FORMATTERS_SCHEMA_H
#define APMTOOL_FORMATTERS_SCHEMA_H

struct schema {
	const char *name; ///< value of `schema` in a document
	const char *word; ///< short name, `report`
	const char *summary;
	const char *text;
};

/** All schemas; ends with a NULL name. */
extern const struct schema schemas[];

/** By name, with or without version; or NULL. */
const struct schema *schema_find(const char *name);

#endif
