#include "lib/text/json/json.h"

#include "lib/base/mem.h"
#include "lib/text/json/scan.h"
#include "lib/text/json/token.h"

#include <cJSON.h>
#include <stdlib.h>
#include <string.h>

// A `struct json` is a cJSON node; only this file knows.

struct json_doc {
	cJSON *root;
	struct json_scan scan;
};

static const cJSON *node_of(const struct json *value)
{
	return (const cJSON *)(const void *)value;
}

static const struct json *value_of(const cJSON *node)
{
	return (const struct json *)(const void *)node;
}

static struct error *parse(struct text in, unsigned flags, size_t *ret_used,
                           struct json_doc **ret)
{
	SCOPED(json_doc_drop)
	struct json_doc *doc = mem_zalloc(1, sizeof(*doc));
	struct error *err;

	err = json_scan(in, flags, &doc->scan);
	if (err)
		return err;
	// The scanner accepts less than cJSON does: it fails for want of
	// memory only. The size counts the NUL, as cJSON_Parse() has it.
	doc->root = cJSON_ParseWithLengthOpts(str_cstr(&doc->scan.copy),
	                                      doc->scan.copy.size + 1, NULL,
	                                      false);
	if (!doc->root)
		mem_fail();
	str_release(&doc->scan.copy);
	if (ret_used)
		*ret_used = doc->scan.used;
	*ret = doc;
	doc = NULL;
	return NULL;
}

struct error *json_parse(struct text in, size_t *ret_used,
                         struct json_doc **ret)
{
	return parse(in, ret_used ? 0 : JSON_SCAN_ALONE, ret_used, ret);
}

struct error *json_salvage(struct text in, size_t *ret_used,
                           struct json_doc **ret)
{
	return parse(in, JSON_SCAN_SALVAGE, ret_used, ret);
}

const char *json_fault(const struct json_doc *doc)
{
	return doc->scan.fault ? error_message(doc->scan.fault) : NULL;
}

void json_doc_free(struct json_doc *doc)
{
	if (!doc)
		return;
	cJSON_Delete(doc->root);
	json_scan_release(&doc->scan);
	free(doc);
}

void json_doc_drop(struct json_doc **doc)
{
	json_doc_free(*doc);
}

const struct json *json_root(const struct json_doc *doc)
{
	return value_of(doc->root);
}

bool json_truncated(const struct json_doc *doc)
{
	return doc->scan.truncated;
}

size_t json_repair_count(const struct json_doc *doc)
{
	return doc->scan.repair_count;
}

struct json_repair json_repair(const struct json_doc *doc, size_t index)
{
	return doc->scan.repairs[index];
}

/** The digits of a number that the scanner kept as text; NULL if it is not. */
static const char *kept_number(const cJSON *node)
{
	if (!cJSON_IsString(node) || node->valuestring[0] != JSON_SCAN_NUMBER)
		return NULL;
	return node->valuestring + 1;
}

enum json_type json_type(const struct json *value)
{
	const cJSON *node = node_of(value);

	if (cJSON_IsBool(node))
		return JSON_BOOL;
	if (cJSON_IsNumber(node) || kept_number(node))
		return JSON_NUMBER;
	if (cJSON_IsString(node))
		return JSON_TEXT;
	if (cJSON_IsArray(node))
		return JSON_ARRAY;
	if (cJSON_IsObject(node))
		return JSON_OBJECT;
	return JSON_NULL;
}

const char *json_type_name(enum json_type type)
{
	static const char *const names[] = {
		[JSON_NULL] = "null",       [JSON_BOOL] = "true or false",
		[JSON_NUMBER] = "a number", [JSON_TEXT] = "text",
		[JSON_ARRAY] = "an array",  [JSON_OBJECT] = "an object",
	};

	return names[type];
}

const struct json *json_member(const struct json *object, const char *key)
{
	if (!cJSON_IsObject(node_of(object)))
		return NULL;
	return value_of(cJSON_GetObjectItemCaseSensitive(node_of(object), key));
}

const struct json *json_first(const struct json *container)
{
	enum json_type type = json_type(container);

	if (type != JSON_ARRAY && type != JSON_OBJECT)
		return NULL;
	return value_of(node_of(container)->child);
}

const struct json *json_next(const struct json *value)
{
	return value_of(node_of(value)->next);
}

const char *json_key(const struct json *value)
{
	return node_of(value)->string;
}

size_t json_count(const struct json *container)
{
	size_t count = 0;

	for (const struct json *child = json_first(container); child;
	     child = json_next(child))
		count++;
	return count;
}

const char *json_as_text(const struct json *value)
{
	return json_type(value) == JSON_TEXT ? node_of(value)->valuestring
	                                     : NULL;
}

bool json_as_u64(const struct json *value, uint64_t *ret)
{
	const cJSON *node = node_of(value);
	const char *digits = kept_number(node);

	if (cJSON_IsNumber(node)) {
		// At most 15 digits and no fraction: the scanner saw to it.
		*ret = (uint64_t)(int64_t)node->valuedouble;
		return true;
	}
	if (!digits)
		digits = json_as_text(value);
	return digits && json_token_u64(text_from(digits), ret);
}

bool json_as_bool(const struct json *value, bool *ret)
{
	uint64_t number;

	if (json_type(value) == JSON_BOOL) {
		*ret = cJSON_IsTrue(node_of(value));
		return true;
	}
	if (json_type(value) != JSON_NUMBER || !json_as_u64(value, &number) ||
	    number > 1)
		return false;
	*ret = number;
	return true;
}

const char *json_number_text(const struct json *value, struct arena *arena)
{
	const cJSON *node = node_of(value);
	const char *digits = kept_number(node);

	if (digits)
		return arena_strdup(arena, digits);
	if (!cJSON_IsNumber(node))
		return NULL;
	return arena_printf(arena, "%lld", (long long)node->valuedouble);
}

const char *json_library_version(void)
{
	// The library's own word: it may be newer than the header.
	return cJSON_Version();
}
