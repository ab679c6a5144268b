#include "parsers/lag_reader.h"

#include "lib/base/number.h"
#include "parsers/json_shape.h"

#include <string.h>

/** Lines that are looked at to tell collapsed stacks. */
#define LINES 16

/** Members that tell what a document is. */
enum sign {
	SIGN_SAMPLES = 1 << 0,
	SIGN_IMAGES = 1 << 1,
	SIGN_STACK = 1 << 2,
	SIGN_DEPTH = 1 << 3,
	SIGN_COUNT = 1 << 4,
	SIGN_COST = 1 << 5,
	SIGN_ADDRESS = 1 << 6,
	SIGN_METHOD = 1 << 7,
	SIGN_OTHERS = ~0u << 8, ///< no lag report has one of these
};

static unsigned signs_of(struct text object)
{
	static const char *const names[] = {
		"samples",
		"dyld_images",
		"stack",
		"depth",
		"count",
		"costTime",
		"methodAddress",
		"methodId",
		"crash",
		"report",
		"recrash_report",
		"binary_images",
		"bug_type",
		"callStackTrees",
		"callStackTree",
		"diagnosticMetaData",
		"head",
		"stack_string",
		"appleReport",
		"usedImages",
		"threads",
		"processes",
		"processByPid",
		"crashDiagnostics",
		"hangDiagnostics",
		"cpuExceptionDiagnostics",
		"$schema",
		"traceEvents",
	};

	return json_shape(object, names, ARRAY_SIZE(names));
}

static bool is_node(unsigned signs)
{
	return signs & SIGN_DEPTH &&
	       signs & (SIGN_COUNT | SIGN_COST | SIGN_ADDRESS | SIGN_METHOD);
}

/** An object that closes at the end of @p line, and not before. */
static bool is_whole(struct text line)
{
	size_t depth = 0;

	if (!text_starts(line, "{") || !text_ends(line, "}"))
		return false;
	for (size_t at = 0; at < line.size; at++) {
		char c = line.data[at];

		if (c == '"') {
			for (at++; at < line.size && line.data[at] != '"'; at++)
				at += line.data[at] == '\\';
		} else if (c == '{' || c == '[') {
			depth++;
		} else if ((c == '}' || c == ']') && !--depth) {
			return at + 1 == line.size;
		}
	}
	return false;
}

/** The next line that has an end, trimmed; false if there is none. */
static bool next_line(struct text *rest, struct text *line)
{
	while (rest->size) {
		size_t end = text_find_char(*rest, '\n');

		*line = text_trim(text_first(
		        *rest, end == TEXT_NOWHERE ? rest->size : end));
		*rest = text_after(*rest,
		                   end == TEXT_NOWHERE ? rest->size : end + 1);
		if (line->size)
			return true;
	}
	return false;
}

static enum lag_form form_of_object(struct text head)
{
	struct text rest = head;
	struct text first = TEXT_NONE;
	struct text second = TEXT_NONE;
	unsigned signs = signs_of(head);
	bool has_second;

	if (signs & SIGN_OTHERS)
		return LAG_FORM_NONE;
	next_line(&rest, &first);
	has_second = next_line(&rest, &second) && is_whole(second);
	// One bad line, even the first, is no reason to misread the others.
	if (has_second && signs_of(second) & SIGN_SAMPLES &&
	    !(signs & SIGN_IMAGES && !(signs & SIGN_SAMPLES)))
		return LAG_FORM_LINES;
	if (!(signs & (SIGN_SAMPLES | SIGN_IMAGES)))
		return LAG_FORM_NONE;
	// A list of images belongs to what stands beside it.
	if (!is_whole(first) || !(signs & SIGN_SAMPLES) || !second.size ||
	    (has_second && signs_of(second) & SIGN_IMAGES) ||
	    lag_is_image_text(
	            text_after(head, (size_t)(second.data - head.data))))
		return LAG_FORM_DOCUMENTS;
	return LAG_FORM_LINES;
}

static enum lag_form form_of_array(struct text head)
{
	unsigned signs = signs_of(text_after(head, 1));

	if (signs & SIGN_OTHERS)
		return LAG_FORM_NONE;
	return signs & (SIGN_SAMPLES | SIGN_STACK) || is_node(signs)
	               ? LAG_FORM_DOCUMENTS
	               : LAG_FORM_NONE;
}

/** `stack count`; the stack is cut from it. */
static bool has_count(struct text line, struct text *ret_stack)
{
	size_t blank = text_find_last_char(line, ' ');
	size_t tab = text_find_last_char(line, '\t');
	struct text count;
	uint64_t number;
	size_t point;

	if (blank == TEXT_NOWHERE || (tab != TEXT_NOWHERE && tab > blank))
		blank = tab;
	if (blank == TEXT_NOWHERE)
		return false;
	count = text_after(line, blank + 1);
	point = text_find_char(count, '.');
	if (point != TEXT_NOWHERE && point + 1 < count.size)
		count = text_first(count, point);
	*ret_stack = text_trim(text_first(line, blank));
	return ret_stack->size && number_decimal(count, &number);
}

static enum lag_form form_of_lines(struct text head)
{
	bool is_cut = head.size >= LAG_HEAD_BYTES;
	struct text rest = head;
	struct text line;
	struct text stack;
	size_t good = 0;
	size_t bad = 0;
	bool has_frames = false;

	while (good + bad < LINES && next_line(&rest, &line)) {
		// The head ends inside of this one.
		if (is_cut && !rest.size)
			break;
		if (memchr(line.data, 0, line.size) ||
		    !has_count(line, &stack)) {
			bad++;
			continue;
		}
		good++;
		has_frames |= text_find_char(stack, ';') != TEXT_NOWHERE;
	}
	// A stack of a million frames fills the head with its first line.
	if (!good && !bad)
		has_frames = is_cut &&
		             text_find_char(head, ';') != TEXT_NOWHERE;
	return has_frames && good >= bad ? LAG_FORM_COLLAPSED : LAG_FORM_NONE;
}

enum lag_form lag_form_of(struct text head)
{
	text_take(&head, "\xef\xbb\xbf");
	head = text_trim_left(head);
	if (text_starts(head, "["))
		return form_of_array(head);
	if (lag_is_image_text(head))
		return text_starts(head, "(") ||
		                       text_find(head, "dyld_images") !=
		                               TEXT_NOWHERE
		               ? LAG_FORM_IMAGES
		               : LAG_FORM_NONE;
	// `{}`, or a line that is cut in its first name: others may follow.
	return text_starts(head, "{") ? form_of_object(head)
	                              : form_of_lines(head);
}
