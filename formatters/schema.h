// SPDX-License-Identifier: MIT
/**
 * The JSON Schemas of our output and of config files, as `apmtool schema`
 * prints them. The files are in formatters/schema/; the build puts their text
 * into the program.
 */
#ifndef APMTOOL_FORMATTERS_SCHEMA_H
#define APMTOOL_FORMATTERS_SCHEMA_H

struct schema {
	const char *name; ///< what `schema` says in a document
	const char *word; ///< the short name, `report`
	const char *summary;
	const char *text;
};

/** All schemas; ends with a NULL name. */
extern const struct schema schemas[];

/** By name, version left out or not; NULL where there is none. */
const struct schema *schema_find(const char *name);

#endif
