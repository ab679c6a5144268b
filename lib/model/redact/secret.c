#include "lib/model/redact/place.h"

#include <string.h>

/** Shorter words after `Bearer` are words. */
#define BEARER_BYTES_MIN 6
#define JWT_BYTES_MIN    24

size_t redact_span(struct text in, bool (*is_part)(char c))
{
	size_t size = 0;

	while (size < in.size && is_part(in.data[size]))
		size++;
	return size;
}

bool redact_is_token(char c)
{
	return text_is_alnum(c) || (c && strchr("-_.~+/=", c));
}

static bool is_key_part(char c)
{
	return text_is_alnum(c) || c == '_' || c == '-';
}

/** How tokens of well-known services begin, and how long they are at least. */
static const struct {
	const char *prefix;
	size_t bytes_min;
} services[] = {
	{ "ghp_", 20 },     { "gho_", 20 },     { "ghu_", 20 },
	{ "ghs_", 20 },     { "ghr_", 20 },     { "github_pat_", 30 },
	{ "glpat-", 20 },   { "AKIA", 20 },     { "ASIA", 20 },
	{ "xoxb-", 16 },    { "xoxp-", 16 },    { "xoxa-", 16 },
	{ "xoxs-", 16 },    { "sk_live_", 20 }, { "pk_live_", 20 },
	{ "rk_live_", 20 }, { "sk_test_", 20 }, { "sk-", 24 },
	{ "AIza", 35 },     { "ya29.", 20 },    { "npm_", 30 },
	{ "hvs.", 20 },     { "SG.", 30 },
};

static bool has_digit(struct text in)
{
	for (size_t i = 0; i < in.size; i++)
		if (text_is_digit(in.data[i]))
			return true;
	return false;
}

/** A JSON Web Token, wherever it is. */
static size_t web_token_size(struct text in)
{
	struct text head = text_first(in, REDACT_PROBE_BYTES);
	size_t size =
	        text_starts(in, "eyJ") ? redact_span(head, redact_is_token) : 0;

	if (size < JWT_BYTES_MIN ||
	    text_find_char(text_first(head, size), '.') == TEXT_NOWHERE)
		return 0;
	return redact_span(in, redact_is_token);
}

static size_t service_size(struct text in)
{
	for (size_t i = 0; i < ARRAY_SIZE(services); i++) {
		struct text rest = text_first(in, REDACT_PROBE_BYTES);
		bool (*is_part)(char c) = is_key_part;

		if (!text_take(&rest, services[i].prefix))
			continue;
		if (text_ends(text_from(services[i].prefix), "."))
			is_part = redact_is_token;
		rest = text_first(rest, redact_span(rest, is_part));
		if (strlen(services[i].prefix) + rest.size >=
		            services[i].bytes_min &&
		    has_digit(rest))
			return redact_span(in, is_part);
	}
	return 0;
}

/** `Bearer …`, in any case; what is before the token is not replaced. */
static size_t take_bearer(const struct redact_place *place, struct text in)
{
	static const char word[] = "bearer ";
	size_t head = sizeof(word) - 1;
	struct text token = text_after(in, head);

	if (!text_is_nocase(text_first(in, head), word))
		return 0;
	token = text_first(token, redact_span(token, redact_is_token));
	if (token.size < BEARER_BYTES_MIN)
		return 0;
	str_add_text(place->out, text_first(in, head));
	redactor_add(place->redactor, place->out, "token", token);
	return head + token.size;
}

size_t redact_secret(const struct redact_place *place)
{
	struct text in = text_after(place->all, place->at);
	size_t size = web_token_size(in);

	if (!size)
		size = service_size(in);
	if (!size)
		return take_bearer(place, in);
	redactor_add(place->redactor, place->out, "token",
	             text_first(in, size));
	return size;
}
