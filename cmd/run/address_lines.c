#include "cmd/run/address_lines.h"

#include "lib/base/mem.h"
#include "lib/base/utf8.h"

#include <inttypes.h>
#include <string.h>

static void add_visible(struct str *line, const char *at, size_t size)
{
	utf8_add_visible(line, (struct text){ .data = at, .size = size });
}

static void print_call(const struct addresses *addresses,
                       const struct symbol_call *call, uint64_t offset,
                       struct out *out)
{
	struct str *line = out_str(out);

	add_visible(line, call->name, call->name_size);
	str_add(line, " (in ");
	str_add_text(line, str_text(&addresses->image_name));
	if (!call->file) {
		str_add(line, ") + ");
		str_add_number(line, offset - call->start);
		return;
	}
	str_add(line, ") (");
	if (addresses->settings->full_path && call->directory) {
		add_visible(line, call->directory, call->directory_size);
		if (strcmp(call->directory, "/") != 0)
			str_add_char(line, '/');
	}
	add_visible(line, call->file, call->file_size);
	str_add_char(line, ':');
	// Apple's prints 0 for code that the compiler made.
	str_add_number(line,
	               call->line_borrowed && !addresses->settings->nearest_line
	                       ? 0
	                       : call->line);
	str_add_char(line, ')');
}

void address_lines_print(const struct addresses *addresses,
                         const struct address_word *word,
                         const struct symbol_answer *answer, struct out *out)
{
	bool inlines = addresses->settings->inlines;
	size_t first = inlines || !answer->count ? 0 : answer->count - 1;

	if (!word->is_address) {
		SCOPED(mem_drop)
		char *copy = mem_strndup(word->text.data, word->text.size);

		// atos gives back what it cannot read as an address.
		out_add_visible(out, copy);
		out_add(out, "\n");
		return;
	}
	if (!answer->count) {
		out_addf(out, "0x%0*" PRIx64, (int)addresses->digits,
		         word->address);
		if (word->offset < addresses->text_size) {
			out_add(out, " (in ");
			out_add(out, str_cstr(&addresses->image_name));
			out_add(out, ")");
		}
	}
	for (size_t i = first; i < answer->count; i++) {
		if (i > first)
			out_add(out, addresses->settings->delimiter
			                     ? addresses->settings->delimiter
			                     : "\n");
		print_call(addresses, &answer->calls[i], word->offset, out);
	}
	out_add(out, inlines ? "\n\n" : "\n");
}
