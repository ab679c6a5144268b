#include "lib/model/redact_text.h"

#include "lib/base/str.h"
#include "lib/base/uuid.h"

#include <inttypes.h>
#include <string.h>

/** An id or token in a message has at least so many characters. */
#define TOKEN_BYTES_MIN 8
#define UDID_BYTES      40

/** Without a seed: the same in every run (FNV-1a, folded to 32 bits). */
static uint32_t fold(struct text text)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < text.size; i++)
		hash = (hash ^ (unsigned char)text.data[i]) *
		       UINT64_C(0x100000001b3);
	return (uint32_t)(hash ^ hash >> 32);
}

/** Redacting twice changes nothing. */
static bool is_pseudonym(const char *kind, struct text text)
{
	if (!text_take(&text, kind) || !text_take(&text, "-") || text.size != 8)
		return false;
	while (text.size && text_is_hex_digit(text.data[0]))
		text = text_after(text, 1);
	return !text.size;
}

static void add_pseudonym(struct str *out, const char *kind, struct text text)
{
	if (is_pseudonym(kind, text))
		str_add_text(out, text);
	else
		str_addf(out, "%s-%08" PRIx32, kind, fold(text));
}

const char *redact_whole(const char *in, const char *kind, struct arena *arena)
{
	SCOPED(str_release) struct str out = { 0 };

	if (!in || !*in)
		return in;
	add_pseudonym(&out, kind, text_from(in));
	return arena_text(arena, str_text(&out));
}

/** How much of the front consists of such characters. */
static size_t span(struct text in, bool (*is_part)(char c))
{
	size_t size = 0;

	while (size < in.size && is_part(in.data[size]))
		size++;
	return size;
}

static bool is_path_part(char c)
{
	return c != '/' && c != '\\' && c != '"' && c != '\n' && c != ':' &&
	       c != '\'' && c != '<' && c != '>' && c != ')' && c != ',';
}

static bool is_token_part(char c)
{
	return text_is_alnum(c) || strchr("-_.~+/=", c) != NULL;
}

static bool is_hex_part(char c)
{
	return text_is_hex_digit(c);
}

static bool is_mail_part(char c)
{
	return text_is_alnum(c) || (c && strchr("._%+-", c));
}

static bool is_host_part(char c)
{
	return text_is_alnum(c) || c == '.' || c == '-';
}

// What is recognized at a place: how much of the text it takes, and what
// stands for it. 0: nothing is there.

/** Directories of users; what follows is a name. */
static const char *const homes[] = { "/Users/", "/home/", "\\/Users\\/" };

/** Names that are no person's. */
static bool is_common(struct text name)
{
	static const char *const names[] = { "Shared", "Guest", "mobile",
		                             "runner", "USER",  "*" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (text_is(name, names[i]))
			return true;
	return !name.size;
}

static size_t take_home(struct text in, struct str *out)
{
	for (size_t i = 0; i < ARRAY_SIZE(homes); i++) {
		size_t head = strlen(homes[i]);
		struct text name;

		if (!text_starts(in, homes[i]))
			continue;
		name = text_after(in, head);
		name = text_first(name, span(name, is_path_part));
		if (is_common(name))
			return 0;
		str_add(out, homes[i]);
		add_pseudonym(out, "user", name);
		return head + name.size;
	}
	return 0;
}

/** A container of an app, or a simulator: its UUID is of this device. */
static size_t take_container(struct text in, struct str *out)
{
	struct uuid uuid;
	struct text id = text_first(text_after(in, 1), UUID_TEXT_SIZE - 1);

	if (in.data[0] != '/' || id.size < UUID_TEXT_SIZE - 1 ||
	    id.data[8] != '-' || !uuid_parse(id, &uuid))
		return 0;
	str_add_char(out, '/');
	add_pseudonym(out, "container", id);
	return 1 + id.size;
}

/** Endings of what looks like a host, in stacks of scripts: `f@main.js:1`. */
static bool is_file_ending(struct text ending)
{
	static const char *const endings[] = {
		"js",  "jsbundle", "bundle", "ts",        "tsx", "jsx",
		"map", "swift",    "html",   "framework", "app", "dylib",
	};

	for (size_t i = 0; i < ARRAY_SIZE(endings); i++)
		if (text_is_nocase(ending, endings[i]))
			return true;
	return false;
}

/** @p at is the `@`: what is before it was written already. */
static size_t take_mail(struct text all, size_t at, struct str *out)
{
	struct text host = text_after(all, at + 1);
	struct text ending;
	size_t start = at;
	size_t dot;

	while (start && is_mail_part(all.data[start - 1]))
		start--;
	host = text_first(host, span(host, is_host_part));
	while (host.size && !text_is_alnum(host.data[host.size - 1]))
		host.size--;
	dot = text_find_last_char(host, '.');
	if (start == at || dot == TEXT_NOWHERE || !dot)
		return 0;
	ending = text_after(host, dot + 1);
	if (ending.size < 2 || span(ending, text_is_letter) < ending.size ||
	    is_file_ending(ending) || out->size < at - start)
		return 0;
	out->size -= at - start;
	out->data[out->size] = '\0';
	add_pseudonym(
	        out, "mail",
	        text_first(text_after(all, start), at - start + 1 + host.size));
	return 1 + host.size;
}

/** Words that a secret follows. */
static const char *const secrets[] = {
	"token=",
	"Token: ",
	"token: ",
	"access_token=",
	"password=",
	"passwd=",
	"password: ",
	"secret=",
	"api_key=",
	"apikey=",
	"apiKey=",
	"Bearer ",
	"session=",
	"sessionid=",
	"auth=",
	"\"token\":\"",
	"\"token\": \"",
	"\"password\":\"",
	"\"password\": \"",
	"\"access_token\": \"",
};

static size_t take_secret(struct text in, struct str *out)
{
	for (size_t i = 0; i < ARRAY_SIZE(secrets); i++) {
		struct text value;

		if (!text_starts(in, secrets[i]))
			continue;
		value = text_after(in, strlen(secrets[i]));
		value = text_first(value, span(value, is_token_part));
		if (!value.size)
			return 0;
		str_add(out, secrets[i]);
		add_pseudonym(out, "token", value);
		return strlen(secrets[i]) + value.size;
	}
	return 0;
}

/** A JSON Web Token, wherever it stands. */
static size_t take_web_token(struct text in, struct str *out)
{
	size_t size = text_starts(in, "eyJ") ? span(in, is_token_part) : 0;

	if (size < 3 * TOKEN_BYTES_MIN ||
	    text_find_char(text_first(in, size), '.') == TEXT_NOWHERE)
		return 0;
	add_pseudonym(out, "token", text_first(in, size));
	return size;
}

/** A device's id: 40 hex digits, or 8 and 16 of them. */
static size_t take_udid(struct text in, struct str *out)
{
	size_t size = span(in, is_hex_part);

	if (size == 8 && in.size > 9 && in.data[8] == '-' &&
	    span(text_after(in, 9), is_hex_part) == 16)
		size = 25;
	else if (size != UDID_BYTES)
		return 0;
	add_pseudonym(out, "device", text_first(in, size));
	return size;
}

/** Does a word begin here? */
static bool begins_word(struct text in, size_t at)
{
	return !at || !text_is_alnum(in.data[at - 1]);
}

/** How much is replaced at this place; what stands for it is in @p out. */
static size_t take_any(struct text in, size_t at, struct str *out)
{
	struct text rest = text_after(in, at);
	size_t size = 0;

	switch (in.data[at]) {
	case '/':
	case '\\':
		size = take_home(rest, out);
		return size ? size : take_container(rest, out);
	case '@':
		return take_mail(in, at, out);
	default:
		break;
	}
	if (!begins_word(in, at))
		return in.data[at] == '"' ? take_secret(rest, out) : 0;
	size = take_secret(rest, out);
	if (!size)
		size = take_web_token(rest, out);
	return size ? size : take_udid(rest, out);
}

const char *redact_text(const char *in, struct arena *arena)
{
	struct text text = text_from(in ? in : "");
	SCOPED(str_release) struct str out = { 0 };
	bool changed = false;

	for (size_t at = 0; at < text.size;) {
		size_t size = take_any(text, at, &out);

		changed |= size > 0;
		if (!size)
			str_add_char(&out, text.data[at++]);
		at += size;
	}
	return changed ? arena_text(arena, str_text(&out)) : in;
}
