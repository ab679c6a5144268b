// SPDX-License-Identifier: MIT
/*
 * Changes JSON so that it stays JSON, in half of the cases: a parser's own code
 * begins where the syntax is right. Values are replaced, removed, doubled,
 * exchanged and nested, and members get each other's names. What is not JSON to
 * begin with is changed as far as it looks like it.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define VALUES_MAX 1024
#define DEPTH_MAX  64

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size,
                               unsigned seed);

/** A value; of a member of an object, its name as well. */
struct value {
	size_t item;  ///< where the name begins, or the value without one
	size_t start; ///< where the value begins
	size_t end;   ///< behind it
};

struct text_found {
	const uint8_t *data;
	size_t size;
	struct value values[VALUES_MAX];
	size_t count;
};

static const char *const hostile[] = {
	"null",
	"true",
	"{}",
	"[]",
	"\"\"",
	"0",
	"-1",
	"0.5",
	"2147483648",
	"4294967296",
	"9007199254740993",
	"9223372036854775808",
	"18446744073709551615",
	"18446744073709551616",
	"1e400",
	"-1e-400",
	"\"\\u0000\\u202e\\ud800\"",
	"\"0x1\"",
	"\"0xffffffffffffffff\"",
	"\"00000000-0000-0000-0000-000000000000\"",
	"[[[[[[[[]]]]]]]]",
	"{\"\":{\"\":{\"\":[]}}}",
};

static size_t end_of_string(const struct text_found *in, size_t at)
{
	for (at++; at < in->size && in->data[at] != '"'; at++)
		at += in->data[at] == '\\';
	return at < in->size ? at + 1 : in->size;
}

static size_t end_of_word(const struct text_found *in, size_t at)
{
	while (at < in->size && !strchr(",:]} \t\r\n[{\"", in->data[at]))
		at++;
	return at;
}

static bool is_name(const struct text_found *in, size_t at)
{
	while (at < in->size && strchr(" \t\r\n", in->data[at]))
		at++;
	return at < in->size && in->data[at] == ':';
}

static void find_values(struct text_found *in)
{
	size_t open[DEPTH_MAX];
	size_t depth = 0;
	size_t name = SIZE_MAX;
	size_t at = 0;

	while (at < in->size && in->count < VALUES_MAX) {
		uint8_t c = in->data[at];
		struct value *value = &in->values[in->count];

		if (!c || strchr(", :\t\r\n", c)) {
			at++;
			continue;
		}
		if (c == '}' || c == ']') {
			at++;
			if (depth)
				in->values[open[--depth]].end = at;
			continue;
		}
		*value = (struct value){ .start = at, .end = at + 1 };
		value->item = name < at ? name : at;
		if (c == '"') {
			value->end = end_of_string(in, at);
			if (is_name(in, value->end)) {
				name = at;
				at = value->end;
				continue;
			}
		} else if (c == '{' || c == '[') {
			if (depth == DEPTH_MAX)
				return;
			open[depth++] = in->count;
		} else {
			value->end = end_of_word(in, at);
		}
		at += c == '{' || c == '[' ? 1 : value->end - at;
		name = SIZE_MAX;
		in->count++;
	}
}

/** Replace the bytes from @p start to @p end. @return the size, which fits */
static size_t splice(uint8_t *data, size_t size, size_t max_size, size_t start,
                     size_t end, const void *with, size_t with_size)
{
	if (size - (end - start) + with_size > max_size)
		return size;
	memmove(data + start + with_size, data + end, size - end);
	memcpy(data + start, with, with_size);
	return size - (end - start) + with_size;
}

static size_t remove_item(uint8_t *data, size_t size, struct value value)
{
	size_t end = value.end;

	if (end < size && data[end] == ',')
		end++;
	else if (value.item && data[value.item - 1] == ',')
		value.item--;
	return splice(data, size, size, value.item, end, "", 0);
}

static size_t change(uint8_t *data, size_t size, size_t max_size,
                     struct value value, struct value other, unsigned seed)
{
	static uint8_t copy[1 << 16];
	size_t length = other.end - other.start;
	const char *literal =
	        hostile[seed / 8 % (sizeof(hostile) / sizeof(*hostile))];

	switch (seed % 6) {
	case 0:
		return remove_item(data, size, value);
	case 1: // twice, the second time with its own name
		length = value.end - value.item;
		if (length + 1 > sizeof(copy))
			break;
		memcpy(copy, data + value.item, length);
		copy[length] = ',';
		return splice(data, size, max_size, value.item, value.item,
		              copy, length + 1);
	case 2:
		if (length > sizeof(copy))
			break;
		memcpy(copy, data + other.start, length);
		return splice(data, size, max_size, value.start, value.end,
		              copy, length);
	case 3: // the other's name
		length = other.start - other.item;
		if (!length || length > sizeof(copy))
			break;
		memcpy(copy, data + other.item, length);
		return splice(data, size, max_size, value.item, value.start,
		              copy, value.start > value.item ? length : 0);
	case 4:
		if (size + 2 > max_size)
			break;
		size = splice(data, size, max_size, value.end, value.end, "]",
		              1);
		return splice(data, size, max_size, value.start, value.start,
		              "[", 1);
	default:
		break;
	}
	return splice(data, size, max_size, value.start, value.end, literal,
	              strlen(literal));
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size,
                               unsigned seed)
{
	static struct text_found found;

	found.data = data;
	found.size = size;
	found.count = 0;
	if (seed % 2)
		find_values(&found);
	if (!found.count)
		return LLVMFuzzerMutate(data, size, max_size);
	seed /= 2;
	return change(data, size, max_size,
	              found.values[seed / 6 % found.count],
	              found.values[seed / 7919 % found.count], seed);
}
