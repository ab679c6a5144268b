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

/** A byte of a line that has been blank; does it complete `::`? */
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

/** Where a line or a word may begin that is a command. */
static size_t skip_text(struct text in, size_t at)
{
	for (; in.size - at >= BLOCK_BYTES; at += BLOCK_BYTES) {
		block bytes = block_load(in.data + at);
		unsigned found = block_bits(block_of(bytes, '\n') |
		                            block_of(bytes, '\r') |
		                            block_of(bytes, '#'));

		if (found)
			return at + block_first(found);
	}
	while (at < in.size && in.data[at] != '\n' && in.data[at] != '\r' &&
	       in.data[at] != '#')
		at++;
	return at;
}

/** With which nearly all lines begin: none of a command. */
static bool begins_text(unsigned char c)
{
	return c > ' ' && c < 0x80 && c != ':' && c != '#';
}

/** The blanks before a line; true: @p at is at the beginning of its text. */
static bool skip_blanks(const struct workflow *state, struct text in,
                        size_t *at)
{
	if (state->line != WORKFLOW_BLANK || state->partial)
		return false;
	while (*at < in.size && in.data[*at] == ' ')
		++*at;
	return *at < in.size && begins_text((unsigned char)in.data[*at]);
}

size_t workflow_find(struct workflow *state, struct text in, size_t at)
{
	for (;; at++) {
		bool is_quiet = state->word == WORKFLOW_NO_HASH;

		if (is_quiet && skip_blanks(state, in, &at))
			state->line = WORKFLOW_TEXT;
		if (is_quiet && state->line == WORKFLOW_TEXT)
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
