// SPDX-License-Identifier: MIT
#include "parsers/text/log_line.h"

#include "lib/base/number.h"
#include "lib/darwin/log_prefix.h"
#include "parsers/text/frame_line.h"
#include "parsers/text/image_line.h"
#include "parsers/text/log_mark.h"
#include "parsers/text/trace_line.h"

/** Max addresses of a line to examine, for an image and for a frame. */
#define ADDRESSES_MAX 8
/** Max bytes between a frame's number and its address. */
#define IMAGE_BYTES_MAX 256
/** Digits of a frame's number. */
#define INDEX_DIGITS_MAX 4

// Words that are addresses

/** The next `0x` from @p at on that begins a word, or follows a bracket. */
static size_t next_address(struct text line, size_t at)
{
	for (;; at++) {
		size_t step = text_find(text_after(line, at), "0x");

		if (step == TEXT_NOWHERE)
			return TEXT_NOWHERE;
		at += step;
		if (!at || !text_is_alnum(line.data[at - 1]))
			return at;
	}
}

static bool read_address(struct text line, size_t at, size_t size,
                         uint64_t *ret)
{
	return number_hex(text_first(text_after(line, at), size), ret);
}

/** Split ` + 123` off the end of @p what; the rest is the symbol. */
static bool cut_plus(struct text *what, uint64_t *ret)
{
	size_t plus = text_find_last(*what, " + ");

	if (plus == TEXT_NOWHERE ||
	    !number_decimal(text_trim(text_after(*what, plus + 3)), ret))
		return false;
	*what = text_trim(text_first(*what, plus));
	return true;
}

// The process

/** `Process:             Demo [612]`, the head of a report. */
static bool read_report_pid(struct text line, struct log_line *ret)
{
	size_t open = text_find_last_char(line, '[');
	size_t digits;

	if (!text_starts(line, "Process:") || open == TEXT_NOWHERE)
		return false;
	digits = digits_at(line, open + 1);
	return number_decimal(text_first(text_after(line, open + 1), digits),
	                      &ret->pid);
}

void log_line_read_process(struct text line, struct log_line *ret)
{
	struct log_prefix prefix;

	*ret = (struct log_line){ 0 };
	ret->begins_report = read_report_pid(line, ret);
	if (ret->begins_report) {
		ret->has_pid = true;
		return;
	}
	prefix = log_prefix_of(line);
	ret->has_pid = prefix.has_pid;
	ret->pid = prefix.has_pid ? prefix.pid : 0;
}

// Images

static void set_size(struct log_image *image, uint64_t end)
{
	if (end > image->base)
		image->size = end - image->base + 1;
}

/** `0x104d00000 - 0x104d0bfff Demo arm64 <uuid> /path`, of Apple's reports. */
static bool read_apple_image(struct text line, size_t at,
                             struct log_image *image)
{
	struct image_line parsed;

	if (!image_line_parse(text_after(line, at), &parsed) ||
	    uuid_is_zero(&parsed.uuid))
		return false;
	*image = (struct log_image){
		.uuid = parsed.uuid,
		.has_base = true,
		.base = parsed.start,
		.name = parsed.name,
		.path = parsed.path,
	};
	if (parsed.has_end)
		set_size(image, parsed.end);
	if (image_line_has_bundle_id(&parsed))
		image->other_name = text_base_name(parsed.path);
	return true;
}

/** `0x104d00000–0x104d0bfff 4c4c… Demo /path`, of Swift's crash logs. */
static bool read_swift_image(struct text line, size_t at,
                             struct log_image *image)
{
	size_t size = address_size(line, at);
	size_t dash = dash_size(text_after(line, at + size));
	size_t last = at + size + dash;
	size_t last_size = address_size(line, last);
	struct text rest = text_after(line, last + last_size);
	struct text build;
	size_t slash;
	uint64_t end;

	if (!dash || !last_size ||
	    !read_address(line, at, size, &image->base) ||
	    !read_address(line, last, last_size, &end) ||
	    !text_next_word(&rest, &build) ||
	    !uuid_parse(build, &image->uuid) || uuid_is_zero(&image->uuid))
		return false;
	slash = text_find(rest, " /");
	image->has_base = true;
	set_size(image, end);
	image->name = text_trim(text_first(rest, slash));
	image->path = text_trim(text_after(rest, slash));
	return image->name.size > 0;
}

/** `[  0] 4C4C…-… 0x0000000104d00000 /path/Demo`, lldb's `image list`. */
static bool read_lldb_image(struct text line, struct log_image *image)
{
	size_t at = text_find_char(line, '[');
	size_t digits, size;

	if (at == TEXT_NOWHERE)
		return false;
	at = skip_blanks(line, at + 1);
	digits = digits_at(line, at);
	at += digits;
	if (!digits || at >= line.size || line.data[at] != ']')
		return false;
	at = skip_blanks(line, at + 1);
	if (!uuid_parse(text_first(text_after(line, at), UUID_TEXT_SIZE - 1),
	                &image->uuid) ||
	    uuid_is_zero(&image->uuid))
		return false;
	at = skip_blanks(line, at + UUID_TEXT_SIZE - 1);
	size = address_size(line, at);
	if (size < ADDRESS_BYTES_MIN ||
	    !read_address(line, at, size, &image->base))
		return false;
	image->has_base = true;
	image->path = text_trim(text_after(line, at + size));
	image->name = text_base_name(image->path);
	return image->name.size > 0;
}

/** `dyld[612]: <4C4C…> /path/Demo`, which has no load address. */
static bool read_dyld_image(struct text line, struct log_image *image)
{
	size_t open = text_find_char(line, '<');
	struct text inside = text_after(line, open + 1);
	size_t close = text_find_char(inside, '>');

	if (open == TEXT_NOWHERE || close != UUID_TEXT_SIZE - 1 ||
	    text_find(text_first(line, open), "dyld") == TEXT_NOWHERE ||
	    !uuid_parse(text_first(inside, close), &image->uuid) ||
	    uuid_is_zero(&image->uuid))
		return false;
	image->path = text_trim(text_after(inside, close + 1));
	image->name = text_base_name(image->path);
	return text_starts(image->path, "/") && image->name.size > 0;
}

static bool read_image(struct text line, struct log_image *image)
{
	size_t at = 0;

	for (int i = 0; i < ADDRESSES_MAX; i++, at += 2) {
		size_t after;

		at = next_address(line, at);
		if (at == TEXT_NOWHERE)
			break;
		after = skip_blanks(line, at + address_size(line, at));
		if (!dash_size(text_after(line, after)) ||
		    !log_mark_of_address(line, at + 1))
			continue;
		*image = (struct log_image){ 0 };
		if (read_swift_image(line, at, image) ||
		    read_apple_image(line, at, image))
			return true;
	}
	*image = (struct log_image){ 0 };
	if (read_lldb_image(line, image))
		return true;
	*image = (struct log_image){ 0 };
	return read_dyld_image(line, image);
}

// Frames

/** A TAB, perhaps escaped in JSON, right before @p at. */
static bool ends_tab(struct text line, size_t at)
{
	return text_ends(text_first(line, at), "\\t");
}

/**
 * The number of the frame with its address at @p address: the nearest digits
 * before it with padding, as all writers have; else the nearest ones.
 *
 * @return Or TEXT_NOWHERE.
 */
static size_t find_index(struct text line, size_t address)
{
	bool is_swift = text_find(text_after(line, address), " in ") !=
	                TEXT_NOWHERE;
	size_t nearest = TEXT_NOWHERE;
	size_t at = address;

	while (at && address - at < IMAGE_BYTES_MAX) {
		size_t end, blanks;

		while (at &&
		       (text_is_blank(line.data[at - 1]) || ends_tab(line, at)))
			at -= text_is_blank(line.data[at - 1]) ? 1 : 2;
		end = at;
		while (at && !text_is_blank(line.data[at - 1]) &&
		       !ends_tab(line, at))
			at--;
		blanks = skip_blanks(line, end) - end;
		if (end == at || end - at > INDEX_DIGITS_MAX ||
		    digits_at(line, at) != end - at || !blanks)
			continue;
		// Only Swift's frames have no image before the address.
		if (end + blanks >= address && !is_swift)
			continue;
		if (blanks > 1 || line.data[end] == '\t')
			return at;
		if (nearest == TEXT_NOWHERE)
			nearest = at;
	}
	return nearest;
}

static void set_name(struct text line, struct text name, struct log_frame *ret)
{
	ret->name_at = (size_t)(name.data - line.data);
	ret->name_size = name.size;
}

static void set_index(struct text line, size_t at, struct log_frame *ret)
{
	ret->index_at = at;
	ret->index_size = digits_at(line, at);
	ret->index_width =
	        ret->index_size +
	        text_count_blanks(text_after(line, at + ret->index_size));
	// A TAB after it is no padding.
	for (size_t i = ret->index_size; i < ret->index_width; i++)
		if (line.data[at + i] == '\t')
			ret->index_width = i;
	// Max four digits: cannot fail.
	(void)!number_decimal(text_first(text_after(line, at), ret->index_size),
	                      &ret->index);
}

/** `(Missing UUID 4c4c…)` in Crashlytics: the address is an offset. */
static bool read_missing(struct text what, struct log_frame *ret)
{
	if (!text_take(&what, "(Missing UUID ") || !text_ends(what, ")"))
		return false;
	what.size--;
	return uuid_parse(what, &ret->uuid) && !uuid_is_zero(&ret->uuid);
}

/** Is there another address, apart from a load address at the start? */
static bool has_address_inside(struct text what)
{
	size_t at = address_size(what, 0);

	for (; (at = next_address(what, at)) != TEXT_NOWHERE; at += 2)
		if (address_size(what, at) >= ADDRESS_BYTES_MIN)
			return true;
	return false;
}

/** Copy the result of the grammar of Apple's frames. */
static bool set_frame(struct text line, const struct frame_line *parsed,
                      struct log_frame *ret)
{
	struct text what = text_trim(parsed->what);

	// Refuse two frames on a line: the symbol's frame is ambiguous.
	if (!parsed->has_address || !parsed->image.size ||
	    parsed->image.size > IMAGE_BYTES_MAX || has_address_inside(what))
		return false;
	ret->image = parsed->image;
	ret->address = parsed->address;
	ret->has_line = parsed->has_line || parsed->inlined;
	ret->symbol = parsed->symbol;
	ret->has_symbol_offset = parsed->has_symbol_offset;
	ret->symbol_offset = parsed->symbol_offset;
	// A name that iOS changed cannot be looked up.
	if (parsed->symbol_end.size)
		ret->has_symbol_offset = false;
	set_name(line, what, ret);
	if (read_missing(what, ret)) {
		ret->has_offset = true;
		ret->offset = ret->address;
		ret->address = 0;
		ret->symbol = TEXT_NONE;
		return true;
	}
	if (parsed->has_base && parsed->base) {
		ret->has_offset = true;
		ret->offset = parsed->offset;
	}
	return ret->has_offset || ret->has_symbol_offset || ret->has_line ||
	       !what.size || address_size(what, 0) == what.size;
}

/** Are these words all tags, `[ra] [system]`? */
static bool are_tags(struct text words)
{
	struct text word;

	while (text_next_word(&words, &word))
		if (!text_starts(word, "[") || !text_ends(word, "]"))
			return false;
	return true;
}

/**
 * `0 [ra] 0x0000000104d08abc crash() + 12 in Demo at /path:1:2`, Swift's: the
 * image is last.
 */
static bool read_swift_frame(struct text line, size_t index, size_t address,
                             struct log_frame *ret)
{
	struct text tags = text_after(text_first(line, address), index);
	struct text rest = text_after(line, address);
	size_t size = address_size(line, address);
	size_t in, at;
	struct text name;

	tags = text_after(tags, digits_at(tags, 0));
	if (!are_tags(tags) ||
	    !read_address(line, address, size, &ret->address))
		return false;
	in = text_find_last(rest, " in ");
	if (in == TEXT_NOWHERE || in < size)
		return false;
	name = text_trim(text_first(text_after(rest, size), in - size));
	ret->image = text_trim(text_after(rest, in + strlen(" in ")));
	at = text_find(ret->image, " at /");
	ret->has_line = at != TEXT_NOWHERE ||
	                text_find(tags, "[inlined]") != TEXT_NOWHERE;
	ret->image = text_first(ret->image, at);
	ret->is_pc = text_find(tags, "[ra]") == TEXT_NOWHERE &&
	             text_find(tags, "[async]") == TEXT_NOWHERE;
	if (!name.size)
		name.data = rest.data + size;
	set_name(line, name, ret);
	ret->has_symbol_offset = cut_plus(&name, &ret->symbol_offset);
	ret->symbol = name;
	return ret->image.size > 0;
}

/** `frame #0: 0x0000000104d08abc Demo`crash + 12 at a.c:3`, lldb's. */
static bool read_lldb_frame(struct text line, struct log_frame *ret)
{
	size_t at = text_find(line, "frame #");
	struct text what;
	size_t digits, size, tick, place;

	if (at == TEXT_NOWHERE)
		return false;
	at += strlen("frame #");
	digits = digits_at(line, at);
	if (!digits || digits > INDEX_DIGITS_MAX ||
	    !text_starts(text_after(line, at + digits), ": 0x"))
		return false;
	ret->is_pc = digits == 1 && line.data[at] == '0';
	at += digits + 2;
	size = address_size(line, at);
	what = text_trim_right(text_after(line, at + size));
	tick = text_find_char(what, '`');
	if (size < ADDRESS_BYTES_MIN || tick == TEXT_NOWHERE ||
	    !read_address(line, at, size, &ret->address))
		return false;
	ret->image = text_trim(text_first(what, tick));
	what = text_after(what, tick + 1);
	place = text_find(what, " at ");
	ret->has_line = place != TEXT_NOWHERE;
	set_name(line, what, ret);
	ret->has_symbol_offset = cut_plus(&what, &ret->symbol_offset);
	ret->symbol = what;
	if (text_starts(what, "___lldb_unnamed_symbol"))
		ret->has_symbol_offset = false;
	if (!ret->has_symbol_offset)
		ret->symbol = TEXT_NONE;
	return ret->image.size > 0 && what.size > 0;
}

/** A number after `#`; or TEXT_NOWHERE. */
static size_t find_hash(struct text line)
{
	size_t at = text_find_char(line, '#');
	size_t digits = digits_at(line, at + 1);

	if (at == TEXT_NOWHERE || !digits || digits > INDEX_DIGITS_MAX ||
	    !text_starts(text_after(line, at + 1 + digits), " "))
		return TEXT_NOWHERE;
	return at;
}

/** Set the text that a name replaces: everything before the image. */
static void set_linked_name(struct text line, size_t hash, size_t open,
                            struct log_frame *ret)
{
	size_t at = hash + 1 + ret->index_width;
	size_t size = address_size(line, at);

	// One blank after it.
	if (size)
		at += size + 1;
	set_name(line, text_trim_right(text_after(text_first(line, open), at)),
	         ret);
}

/**
 * `#1 0x104d08abc in f() (Demo:arm64+0x100000abc)` of AddressSanitizer, and
 * without the address of ThreadSanitizer.
 */
static bool read_linked_frame(struct text line, struct log_frame *ret)
{
	size_t hash = find_hash(line);
	size_t open = text_find_last(line, " (");
	struct trace_line parsed = { .symbol = TEXT_NONE };

	if (hash == TEXT_NOWHERE || open == TEXT_NOWHERE || open < hash ||
	    !text_ends(text_trim_right(line), ")") ||
	    !trace_line_parse(HEADLINE_SANITIZER, text_after(line, hash),
	                      &parsed) ||
	    !parsed.has_linked)
		return false;
	set_index(line, hash + 1, ret);
	ret->image = text_base_name(parsed.image);
	ret->address = parsed.address;
	ret->is_linked = true;
	ret->linked = parsed.linked;
	ret->has_line = parsed.file.size > 0;
	// It is the address of the call, not the return address.
	ret->is_pc = true;
	if (!text_starts(parsed.symbol, "<null>"))
		ret->symbol = parsed.symbol;
	set_linked_name(line, hash, open, ret);
	return ret->image.size > 0 && ret->image.size <= IMAGE_BYTES_MAX;
}

/** Digits, an address and no more are words, unless they are in columns. */
static bool is_in_columns(struct text line, const struct log_frame *frame)
{
	size_t end = frame->index_at + frame->index_size;

	return frame->has_offset || frame->has_symbol_offset ||
	       frame->has_line || text_count_blanks(text_after(line, end)) > 1;
}

/** With a number before the image, or before Swift's address. */
static bool read_numbered(struct text line, size_t address,
                          struct log_frame *ret)
{
	size_t index = find_index(line, address);
	struct frame_line parsed;

	if (index == TEXT_NOWHERE)
		return false;
	set_index(line, index, ret);
	if (read_swift_frame(line, index, address, ret)) {
		// Its inlined calls have numbers of their own.
		ret->index_size = 0;
		return true;
	}
	return frame_line_parse(text_after(line, index), &parsed) &&
	       set_frame(line, &parsed, ret) && is_in_columns(line, ret);
}

/** `Demo                   0x104d08abc crash + 12`, without a number. */
static bool read_unnumbered(struct text line, size_t address,
                            struct log_frame *ret)
{
	size_t at = address;
	struct frame_line parsed;

	while (at && text_is_blank(line.data[at - 1]))
		at--;
	while (at && !text_is_blank(line.data[at - 1]))
		at--;
	ret->is_unnumbered = true;
	return frame_line_parse_unnumbered(text_after(line, at), &parsed) &&
	       set_frame(line, &parsed, ret) &&
	       (ret->has_offset || ret->has_symbol_offset);
}

static bool read_frame(struct text line, struct log_frame *ret)
{
	size_t at = 0;

	*ret = (struct log_frame){ 0 };
	if (read_lldb_frame(line, ret))
		return true;
	*ret = (struct log_frame){ 0 };
	if (read_linked_frame(line, ret))
		return true;
	for (int i = 0; i < ADDRESSES_MAX; i++, at += 2) {
		bool is_long;

		at = next_address(line, at);
		if (at == TEXT_NOWHERE)
			return false;
		if (!at || !text_is_blank(line.data[at - 1]) ||
		    log_mark_of_address(line, at + 1) != LOG_MARK_LINE)
			continue;
		is_long = address_size(line, at) >= ADDRESS_BYTES_MIN;
		*ret = (struct log_frame){ 0 };
		if (read_numbered(line, at, ret) &&
		    (is_long || !uuid_is_zero(&ret->uuid)))
			return true;
		*ret = (struct log_frame){ 0 };
		if (is_long && read_unnumbered(line, at, ret))
			return true;
	}
	return false;
}

/** `(0x19f809e48 0x19f6978d8 …)`, printed by NSLog for an exception. */
static bool read_addresses(struct text line, struct log_line *ret)
{
	size_t open = text_find(line, "(0x");
	struct text rest = text_after(line, open + 1);
	size_t close = text_find_char(rest, ')');
	struct text word;
	size_t count = 0;

	if (open == TEXT_NOWHERE || close == TEXT_NOWHERE ||
	    text_trim(text_after(rest, close + 1)).size)
		return false;
	rest = text_first(rest, close);
	ret->addresses = rest;
	ret->addresses_at = open;
	for (; text_next_word(&rest, &word); count++)
		if (word.size < ADDRESS_BYTES_MIN ||
		    address_size(word, 0) != word.size)
			return false;
	return count > 1;
}

/** Would the first look at a log stop at this line? */
static bool is_marked(struct text line)
{
	enum log_mark mark = LOG_MARK_NONE;
	size_t at = 0;

	while ((at = log_line_find(line, at, &mark)) < line.size &&
	       mark != LOG_MARK_LINE)
		at++;
	return at < line.size;
}

void log_line_read(struct text line, struct log_line *ret)
{
	*ret = (struct log_line){ 0 };
	if (line.size > LOG_LINE_MAX_BYTES)
		return;
	log_line_read_process(line, ret);
	// The result must not depend on how the line was found.
	if (!is_marked(line))
		return;
	if (read_image(line, &ret->image))
		ret->kind = LOG_LINE_IMAGE;
	else if (read_frame(line, &ret->frame))
		ret->kind = LOG_LINE_FRAME;
	else if (read_addresses(line, ret))
		ret->kind = LOG_LINE_ADDRESSES;
}

/** Position of a mark that ends a part: a quote, or `\\n`. */
static size_t find_mark(struct text line, size_t at)
{
	for (; at < line.size; at++) {
		if (line.data[at] == '"')
			return at;
		if (line.data[at] == '\\' && at + 1 < line.size &&
		    line.data[at + 1] == 'n')
			return at;
		// Ignore escaped characters.
		at += line.data[at] == '\\';
	}
	return line.size;
}

bool log_line_next_part(struct text *rest, struct text *part)
{
	size_t begin = 0;
	size_t end;

	if (!rest->size)
		return false;
	if (rest->data[0] == '"')
		begin = 1;
	else if (text_starts(*rest, "\\n"))
		begin = 2;
	end = find_mark(*rest, begin);
	*part = text_after(text_first(*rest, end), begin);
	*rest = text_after(*rest, end);
	return true;
}

bool log_line_begins_thread(struct text line)
{
	size_t at = text_find(line, "Thread ");
	struct text rest = text_after(line, at + strlen("Thread "));
	size_t digits = digits_at(rest, 0);

	rest = text_after(rest, digits);
	return at != TEXT_NOWHERE && digits &&
	       (text_starts(rest, ":") || text_starts(rest, " Crashed:") ||
	        text_starts(rest, " crashed:") || text_starts(rest, " name:"));
}
