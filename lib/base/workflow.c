// SPDX-License-Identifier: MIT
#include "lib/base/workflow.h"

#include "lib/base/block.h"

/** UTF-8 of the white space that .NET trims, for GitHub's runner. */
static bool is_white(uint32_t bytes)
{
	return bytes == 0xc285 || bytes == 0xc2a0 || bytes == 0xe19a80 ||
	       (bytes >= 0xe28080 && bytes <= 0xe2808a) || bytes == 0xe280a8 ||
	       bytes == 0xe280a9 || bytes == 0xe280af || bytes == 0xe2819f ||
	       bytes == 0xe38080;
}

/** A byte on a line that was blank so far; does it complete `::`? */
static bool step_blank(struct workflow *state, unsigned char c)
{
	bool after_colon = state->line == WORKFLOW_COLON;
	bool is_colon = c == ':' && !state->partial;

	if (!after_colon && (c == ' ' || (c >= '\t' && c <= '\r')) &&
	    !state->partial)
		return false;
	if (!after_colon && c >= 0x80 && state->partial < 0x10000) {
		state->partial = state->partial << 8 | c;
		if (is_white(state->partial))
			state->partial = 0;
		return false;
	}
	state->line = is_colon && !after_colon ? WORKFLOW_COLON : WORKFLOW_TEXT;
	return is_colon && after_colon;
}

/** Does @p c complete a command? */
static bool step(struct workflow *state, unsigned char c)
{
	bool is_bracket = c == '[' && state->word >= WORKFLOW_HASHES;
	bool is_colons = false;

	if (c == '#')
		state->word = state->word == WORKFLOW_NO_HASH ||
		                              state->word == WORKFLOW_WORD
		                      ? WORKFLOW_HASH
		                      : WORKFLOW_HASHES;
	else if (state->word >= WORKFLOW_HASHES && text_is_letter((char)c))
		state->word = WORKFLOW_WORD;
	else
		state->word = WORKFLOW_NO_HASH;
	if (c == '\n' || c == '\r') {
		state->line = WORKFLOW_BLANK;
		state->partial = 0;
	} else if (state->line != WORKFLOW_TEXT) {
		is_colons = step_blank(state, c);
	}
	return is_bracket || (is_colons && !state->own_lines);
}

/** Can a text begin like this without a command? True for most. */
static bool begins_text(unsigned char c)
{
	return c > ' ' && c < 0x80 && c != ':' && c != '#';
}

/** Of the bytes at @p at: each `#`, and the first of each `::`. */
static unsigned suspects(struct text in, size_t at)
{
	block bytes = block_load(in.data + at);
	block next = block_load(in.data + at + 1);

	return block_bits(block_of(bytes, '#') |
	                  (block_of(bytes, ':') & block_of(next, ':')));
}

/** The first `#`, or `::` that follows no text, after @p at. */
static size_t find_suspect(struct text in, size_t at)
{
	for (at++; in.size > at + BLOCK_BYTES; at += BLOCK_BYTES) {
		unsigned found = suspects(in, at);

		for (; found; found &= found - 1) {
			size_t i = at + block_first(found);

			if (in.data[i] == '#' ||
			    !begins_text((unsigned char)in.data[i - 1]))
				return i;
		}
	}
	while (at < in.size && in.data[at] != '#' && in.data[at] != ':')
		at++;
	return at;
}

/** In a line of text: the suspect, or the end of the line before its line. */
static size_t skip_text(struct text in, size_t at)
{
	size_t found = at < in.size ? find_suspect(in, at) : at;
	size_t line = found;

	while (line > at && in.data[line - 1] != '\n' &&
	       in.data[line - 1] != '\r')
		line--;
	return line > at ? line - 1 : found;
}

size_t workflow_find(struct workflow *state, struct text in, size_t at)
{
	for (;; at++) {
		if (at < in.size && state->word == WORKFLOW_NO_HASH &&
		    state->line == WORKFLOW_TEXT &&
		    begins_text((unsigned char)in.data[at]))
			at = skip_text(in, at);
		if (at == in.size || step(state, (unsigned char)in.data[at]))
			return at;
	}
}

void workflow_add(struct workflow *state, struct str *out, struct text in)
{
	size_t at;

	while ((at = workflow_find(state, in, 0)) < in.size) {
		str_add_text(out, text_first(in, at));
		str_addf(out, "\\x%02x", (unsigned char)in.data[at]);
		in = text_after(in, at + 1);
	}
	str_add_text(out, in);
}
