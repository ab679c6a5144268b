// SPDX-License-Identifier: MIT
#include "parsers/envelope/header.h"

static const struct json_field header_fields[] = {
	JSON_FIELD("bug_type", JSON_FIELD_NUMBER_TEXT, struct ips_header,
	           bug_type),
	JSON_FIELD("timestamp", JSON_FIELD_TEXT, struct ips_header, timestamp),
	JSON_FIELD("os_version", JSON_FIELD_TEXT, struct ips_header,
	           os_version),
	JSON_FIELD("incident_id", JSON_FIELD_TEXT, struct ips_header, incident),
	JSON_FIELD("app_name", JSON_FIELD_TEXT, struct ips_header, app_name),
	JSON_FIELD("name", JSON_FIELD_TEXT, struct ips_header, name),
	JSON_FIELD("app_version", JSON_FIELD_NUMBER_TEXT, struct ips_header,
	           version),
	JSON_FIELD("build_version", JSON_FIELD_NUMBER_TEXT, struct ips_header,
	           build),
	JSON_FIELD("bundleID", JSON_FIELD_TEXT, struct ips_header, bundle_id),
	JSON_FIELD("platform", JSON_FIELD_U64, struct ips_header, platform),
};

struct ips_header ips_header_read(const cJSON *object, struct arena *arena)
{
	struct ips_header header = { 0 };

	json_read_fields(object, header_fields, ARRAY_SIZE(header_fields),
	                 arena, &header, NULL, NULL);
	return header;
}

bool ips_header_is(const cJSON *object)
{
	static const char *const usual[] = { "app_name", "timestamp",
		                             "incident_id", "os_version" };
	size_t count = 0;

	for (size_t i = 0; i < ARRAY_SIZE(usual); i++)
		count += cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(
		                 object, usual[i])) != NULL;
	return cJSON_GetObjectItemCaseSensitive(object, "bug_type") ||
	       count >= 2;
}

/** System processes have empty versions, which are ignored. */
static void fill(const char **target, const char *value)
{
	if (!*target && value && *value)
		*target = value;
}

void ips_header_merge(const struct ips_header *header, struct report *report)
{
	fill(&report->bug_type, header->bug_type);
	fill(&report->incident, header->incident);
	fill(&report->process.name, header->app_name);
	fill(&report->process.name, header->name);
	if (!report->version) {
		fill(&report->version, header->version);
		fill(&report->build, header->build);
	}
	fill(&report->identifier, header->bundle_id);
	fill(&report->date_time, header->timestamp);
	fill(&report->os_version, header->os_version);
	if (!report->platform && header->platform <= 255)
		report->platform = (int)header->platform;
}
