// SPDX-License-Identifier: MIT
#include "lib/model/redact/place.h"

#include <string.h>

/** Shorter words after `Bearer` are words. */
#define BEARER_BYTES_MIN 6
/** Longer ones are no words. */
#define BEARER_BYTES_LONG 20
#define JWT_BYTES_MIN     24
/** `ENCRYPTED PRIVATE KEY-----` */
#define PEM_TITLE_BYTES_MAX 64

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

bool redact_is_alnum(char c)
{
	return text_is_alnum(c);
}

bool redact_is_hex(char c)
{
	return text_is_hex_digit(c);
}

bool redact_is_lower(char c)
{
	return c >= 'a' && c <= 'z';
}

static bool is_key_part(char c)
{
	return text_is_alnum(c) || c == '_' || c == '-';
}

/**
 * Prefixes and min sizes of tokens of well-known services. A short prefix
 * requires a digit, to exclude names.
 */
static const struct {
	const char *prefix;
	size_t bytes_min;
} services[] = {
	{ "ghp_", 20 },     { "gho_", 20 },     { "ghu_", 20 },
	{ "ghs_", 20 },     { "ghr_", 20 },     { "github_pat_", 20 },
	{ "glpat-", 12 },   { "AKIA", 20 },     { "ASIA", 20 },
	{ "xoxb-", 12 },    { "xoxp-", 12 },    { "xoxa-", 12 },
	{ "xoxs-", 12 },    { "sk_live_", 14 }, { "pk_live_", 14 },
	{ "rk_live_", 14 }, { "sk_test_", 14 }, { "sk-", 24 },
	{ "AIza", 35 },     { "ya29.", 20 },    { "npm_", 30 },
	{ "hvs.", 20 },     { "SG.", 30 },      { "whsec_", 14 },
	{ "dop_v1_", 14 },  { "hf_", 20 },
};

#define SHORT_PREFIX_BYTES 4

/** URLs whose path is the secret. */
static const char *const hooks[] = {
	"hooks.slack.com/services/",    "hooks.slack.com/workflows/",
	"hooks.slack.com/triggers/",    "discord.com/api/webhooks/",
	"discordapp.com/api/webhooks/", "api.telegram.org/bot",
};

static bool is_path(char c)
{
	return redact_is_token(c) || c == ':';
}

static bool is_login(char c)
{
	return c > ' ' && c != '"' && c != '\'';
}

static bool has_digit(struct text in)
{
	for (size_t i = 0; i < in.size; i++)
		if (text_is_digit(in.data[i]))
			return true;
	return false;
}

/** A JSON Web Token, in any place. */
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
		    (strlen(services[i].prefix) > SHORT_PREFIX_BYTES ||
		     has_digit(rest)))
			return redact_span(in, is_part);
	}
	return 0;
}

static size_t take_hook(const struct redact_place *place, struct text in)
{
	for (size_t i = 0; i < ARRAY_SIZE(hooks); i++) {
		struct text rest = in;

		if (!text_take(&rest, hooks[i]))
			continue;
		rest = text_first(rest, redact_span(rest, is_path));
		if (!rest.size)
			return 0;
		str_add(place->out, hooks[i]);
		redactor_add(place->redactor, place->out, "token", rest);
		return strlen(hooks[i]) + rest.size;
	}
	return 0;
}

/** `curl -u name:password` */
static size_t take_login(const struct redact_place *place, struct text in)
{
	static const char *const options[] = { "-u ", "--user " };

	for (size_t i = 0; i < ARRAY_SIZE(options); i++) {
		struct text rest = in;

		if (!text_take(&rest, options[i]))
			continue;
		rest = text_after(rest,
		                  rest.size && strchr("\"'", rest.data[0]));
		rest = text_first(rest, redact_span(rest, is_login));
		if (text_find_char(text_first(rest, REDACT_PROBE_BYTES), ':') ==
		    TEXT_NOWHERE)
			return 0;
		str_add_text(place->out,
		             text_first(in, (size_t)(rest.data - in.data)));
		redactor_add(place->redactor, place->out, "token", rest);
		return (size_t)(rest.data - in.data) + rest.size;
	}
	return 0;
}

/** `-----BEGIN … PRIVATE KEY-----` to its end, or that of the text. */
static size_t take_private_key(const struct redact_place *place, struct text in)
{
	static const char begin[] = "-----BEGIN ", end[] = "-----END ",
	                  dashes[] = "-----";
	struct text title = text_first(text_after(in, sizeof(begin) - 1),
	                               PEM_TITLE_BYTES_MAX);
	size_t size;

	if (!text_starts(in, begin) ||
	    !text_ends(text_first(title, text_find(title, dashes)),
	               "PRIVATE KEY"))
		return 0;
	size = text_find(in, end);
	if (size != TEXT_NOWHERE) {
		size_t rest = text_find(text_after(in, size + sizeof(end) - 1),
		                        dashes);

		size = rest == TEXT_NOWHERE ? rest
		                            : size + sizeof(end) - 1 + rest +
		                                      sizeof(dashes) - 1;
	}
	in = text_first(in, size);
	redactor_add(place->redactor, place->out, "token", in);
	return in.size;
}

size_t redact_option(const struct redact_place *place)
{
	struct text in = text_after(place->all, place->at);
	size_t size = take_private_key(place, in);

	return size ? size : take_login(place, in);
}

/** `Qt bearer thread` has a word in place of a token. */
static bool is_bearer(struct text token)
{
	size_t capitals = 0;

	for (size_t i = 0; i < token.size; i++)
		capitals += token.data[i] >= 'A' && token.data[i] <= 'Z';
	return token.size >= BEARER_BYTES_MIN &&
	       (capitals || has_digit(token) ||
	        token.size >= BEARER_BYTES_LONG);
}

/** `Bearer …`, ignoring case; the text before the token is kept. */
static size_t take_bearer(const struct redact_place *place, struct text in)
{
	static const char word[] = "bearer ";
	size_t head = sizeof(word) - 1;
	struct text token = text_after(in, head);

	if (!text_is_nocase(text_first(in, head), word))
		return 0;
	token = text_first(token, redact_span(token, redact_is_token));
	if (!is_bearer(token))
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
	if (size) {
		redactor_add(place->redactor, place->out, "token",
		             text_first(in, size));
		return size;
	}
	size = take_hook(place, in);
	return size ? size : take_bearer(place, in);
}
