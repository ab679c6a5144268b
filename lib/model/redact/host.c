// SPDX-License-Identifier: MIT
#include "lib/model/redact/place.h"

#include <string.h>

#define USERINFO_BYTES_MAX 256
#define HOST_BYTES_MAX     255
#define SCHEME_BYTES_MAX   8

static bool is_userinfo(char c)
{
	return c > ' ' && !strchr("/@?#\"'<>\\", c);
}

static bool is_host(char c)
{
	return text_is_alnum(c) || (unsigned char)c >= 0x80 ||
	       (c && strchr(".-_", c));
}

static struct text host_of(struct text in)
{
	return text_first(in,
	                  redact_span(text_first(in, HOST_BYTES_MAX), is_host));
}

/** Of a service at home or at work; one of the web is no secret. */
static bool is_private(struct text before)
{
	static const char *const schemes[] = { "smb", "afp",  "cifs", "nfs",
		                               "ssh", "sftp", "vnc",  "rdp" };
	size_t size = 0;

	before = text_first(before, before.size - 1);
	while (size < before.size && size < SCHEME_BYTES_MAX &&
	       text_is_letter(before.data[before.size - size - 1]))
		size++;
	before = text_after(before, before.size - size);
	for (size_t i = 0; i < ARRAY_SIZE(schemes); i++)
		if (text_is_nocase(before, schemes[i]))
			return true;
	return false;
}

/** `//name:password@` of a URL, and the machine of some. */
static size_t take_authority(const struct redact_place *place)
{
	struct text before = text_first(place->all, place->at);
	struct text in = text_after(place->all, place->at);
	size_t size;
	struct text host;

	if (!text_starts(in, "//") || !text_ends(before, ":"))
		return 0;
	size = redact_span(text_first(text_after(in, 2), USERINFO_BYTES_MAX),
	                   is_userinfo);
	if (!text_starts(text_after(in, 2 + size), "@"))
		size = 0;
	host = host_of(text_after(in, 2 + size + (size > 0)));
	if (!is_private(before))
		host.size = 0;
	if (!size && !host.size)
		return 0;
	str_add(place->out, "//");
	if (size) {
		redactor_add(place->redactor, place->out, "user",
		             text_first(text_after(in, 2), size));
		str_add(place->out, "@");
		size++;
	}
	if (host.size)
		redactor_add(place->redactor, place->out, "host", host);
	return 2 + size + host.size;
}

/** `\\HOST\share`; in a string, backslashes are escaped. */
static size_t take_share(const struct redact_place *place)
{
	struct text before = text_first(place->all, place->at);
	struct text in = text_after(place->all, place->at);
	size_t slashes = text_starts(in, "\\\\\\\\") ? 4 : 2;
	struct text host = host_of(text_after(in, slashes));
	struct text after = text_after(in, slashes + host.size);

	if (!text_starts(in, "\\\\") || host.size < 2 ||
	    (before.size && (is_host(before.data[before.size - 1]) ||
	                     strchr(":\\", before.data[before.size - 1]))) ||
	    !text_starts(after, slashes == 2 ? "\\" : "\\\\"))
		return 0;
	after = text_after(after, slashes / 2);
	if (!after.size || !text_is_alnum(after.data[0]))
		return 0;
	str_add_text(place->out, text_first(in, slashes));
	redactor_add(place->redactor, place->out, "host", host);
	return slashes + host.size;
}

size_t redact_authority(const struct redact_place *place)
{
	size_t size = take_authority(place);

	return size ? size : take_share(place);
}

size_t redact_local_host(const struct redact_place *place)
{
	struct text in = text_after(place->all, place->at);
	struct text host;

	if (place->at && is_host(place->all.data[place->at - 1]))
		return 0;
	host = host_of(in);
	while (text_ends(host, "."))
		host.size--;
	if (!text_ends(host, ".local") || host.size == strlen(".local"))
		return 0;
	// `Config.local` may be a member, which has no `-` in its name.
	if (place->manner != REDACT_PROSE &&
	    text_find_char(host, '-') == TEXT_NOWHERE)
		return 0;
	redactor_add(place->redactor, place->out, "host", host);
	return host.size;
}
