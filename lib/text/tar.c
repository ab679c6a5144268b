// SPDX-License-Identifier: MIT
#include "lib/text/tar.h"

#include "lib/base/limit.h"
#include "lib/base/number.h"

#include <string.h>

// POSIX.1-1988 (ustar) and POSIX.1-2001 (pax), "tar interchange format"; GNU
// extensions: manual of GNU tar, "Basic Tar Format".
#define NAME_BYTES   100
#define SIZE_AT      124
#define SIZE_BYTES   12
#define SUM_AT       148
#define SUM_BYTES    8
#define TYPE_AT      156
#define MAGIC_AT     257
#define PREFIX_AT    345
#define PREFIX_BYTES 155

/** Contents of extension headers: names and sizes too large for the header. */
struct extension {
	bool has_size;
	uint64_t size;
	struct str name;
};

static struct text field(const uint8_t *block, size_t at, size_t size)
{
	struct text text = { .data = (const char *)block + at, .size = size };
	size_t end = text_find_char(text, '\0');

	return text_first(text, end);
}

/** An octal number, or GNU tar's binary one with its first bit set. */
static bool read_number(const uint8_t *block, size_t at, size_t size,
                        uint64_t *ret)
{
	struct text digits = text_trim(field(block, at, size));
	uint64_t value = 0;

	if (block[at] & 0x80) {
		for (size_t i = 0; i < size; i++) {
			if (value >> 55)
				return false;
			value = value << 8 |
			        (i ? block[at + i] : block[at] & 0x7fu);
		}
		*ret = value;
		return true;
	}
	for (size_t i = 0; i < digits.size; i++) {
		if (digits.data[i] < '0' || digits.data[i] > '7')
			return false;
		value = value << 3 | (unsigned)(digits.data[i] - '0');
	}
	*ret = value;
	return true;
}

/** The sum of all bytes, with the checksum field as blanks. */
static bool has_right_sum(const uint8_t *block)
{
	uint64_t sum = 0, said;

	// Most blocks of other formats have no number there.
	if (!read_number(block, SUM_AT, SUM_BYTES, &said))
		return false;
	for (size_t i = 0; i < TAR_BLOCK_BYTES; i++)
		sum += i >= SUM_AT && i < SUM_AT + SUM_BYTES ? ' ' : block[i];
	return said == sum;
}

bool tar_is(struct bytes head)
{
	return head.size >= TAR_BLOCK_BYTES && head.data[0] &&
	       has_right_sum(head.data);
}

static struct error *truncated(void)
{
	return error_new(ERROR_FORMAT, "the tar archive is truncated");
}

static struct error *skip(struct tar *tar, uint64_t size)
{
	uint64_t got = 0;
	struct error *err = tar->read(tar->context, NULL, size, &got);

	return err || got == size ? err : truncated();
}

static uint64_t padding_of(uint64_t size)
{
	return (TAR_BLOCK_BYTES - size % TAR_BLOCK_BYTES) % TAR_BLOCK_BYTES;
}

/** The data of a header that describes the next file. */
static struct error *read_data(struct tar *tar, uint64_t size, struct str *ret)
{
	uint64_t got = 0;
	struct error *err;

	if (size > TAR_NAME_MAX)
		return error_new(ERROR_LIMIT,
		                 "a header of more than %s in a tar archive",
		                 limit_size(TAR_NAME_MAX).text);
	str_clear(ret);
	str_add_repeat(ret, '\0', (size_t)size);
	err = tar->read(tar->context, ret->data, size, &got);
	if (!err && got != size)
		err = truncated();
	return err ? err : skip(tar, padding_of(size));
}

/** Records `LENGTH KEY=VALUE`, each with a newline at its end. */
static void read_pax(struct text records, struct extension *ret)
{
	while (records.size) {
		struct text record;
		uint64_t length;
		size_t blank = text_find_char(records, ' ');

		if (blank == TEXT_NOWHERE ||
		    !number_decimal(text_first(records, blank), &length) ||
		    length <= blank + 1 || length > records.size)
			return;
		record = text_after(text_first(records, (size_t)length - 1),
		                    blank + 1);
		records = text_after(records, (size_t)length);
		if (text_take(&record, "path=")) {
			str_clear(&ret->name);
			str_add_text(&ret->name, record);
		} else if (text_take(&record, "size=")) {
			ret->has_size = number_decimal(record, &ret->size);
		}
	}
}

/** Read a header that extends the next one; @p ret_taken: it was one. */
static struct error *take_extension(struct tar *tar, char type, uint64_t size,
                                    struct extension *ret, bool *ret_taken)
{
	SCOPED(str_release) struct str records = { 0 };
	struct error *err;

	*ret_taken = type == 'L' || type == 'x';
	if (type == 'L') {
		err = read_data(tar, size, &ret->name);
		// It ends with a NUL.
		if (!err && ret->name.size)
			ret->name.size = strlen(str_cstr(&ret->name));
		return err;
	}
	if (type != 'x')
		return NULL;
	err = read_data(tar, size, &records);
	if (!err)
		read_pax(str_text(&records), ret);
	return err;
}

static void set_name(struct tar *tar, const uint8_t *block,
                     const struct extension *extension)
{
	struct text prefix = TEXT_NONE;

	str_clear(&tar->full_name);
	if (!memcmp(block + MAGIC_AT, "ustar\0", 6))
		prefix = field(block, PREFIX_AT, PREFIX_BYTES);
	if (extension->name.size) {
		str_add_text(&tar->full_name, str_text(&extension->name));
	} else {
		str_add_text(&tar->full_name, prefix);
		if (prefix.size)
			str_add_char(&tar->full_name, '/');
		str_add_text(&tar->full_name, field(block, 0, NAME_BYTES));
	}
	tar->name = str_text(&tar->full_name);
	while (text_take(&tar->name, "./"))
		;
}

/** @p ret_at_end: no block follows, or an empty one, the end mark. */
static struct error *read_header(struct tar *tar, uint8_t *block,
                                 bool *ret_at_end)
{
	uint64_t got = 0;
	struct error *err =
	        tar->read(tar->context, block, TAR_BLOCK_BYTES, &got);

	*ret_at_end = !err && (!got || (got == TAR_BLOCK_BYTES && !block[0]));
	if (err || *ret_at_end)
		return err;
	if (got != TAR_BLOCK_BYTES)
		return truncated();
	if (!has_right_sum(block))
		return error_new(ERROR_FORMAT, "the tar archive is damaged: a "
		                               "header has a wrong checksum");
	return NULL;
}

/** Headers up to that of the next regular file. */
static struct error *find_file(struct tar *tar, struct extension *extension,
                               bool *ret_found)
{
	uint8_t block[TAR_BLOCK_BYTES];
	bool at_end, taken;

	for (;;) {
		struct error *err = read_header(tar, block, &at_end);
		uint64_t size = 0;
		char type;

		*ret_found = false;
		if (err || at_end)
			return err;
		type = (char)block[TYPE_AT];
		if (!read_number(block, SIZE_AT, SIZE_BYTES, &size))
			return error_new(ERROR_FORMAT,
			                 "the tar archive is damaged: a size "
			                 "is not a number");
		err = take_extension(tar, type, size, extension, &taken);
		if (err)
			return err;
		if (taken)
			continue;
		if (extension->has_size)
			size = extension->size;
		*ret_found = type == '0' || !type || type == '7';
		set_name(tar, block, extension);
		tar->size_bytes = tar->left = size;
		tar->padding = padding_of(size);
		if (*ret_found)
			return NULL;
		// Links and directories may have a size, but have no data.
		if (type >= '1' && type <= '6')
			size = 0;
		err = skip(tar, size);
		if (!err)
			err = skip(tar, padding_of(size));
		if (err)
			return err;
		extension->has_size = false;
		str_clear(&extension->name);
	}
}

struct error *tar_next(struct tar *tar, bool *ret_found)
{
	struct extension extension = { 0 };
	struct error *err = skip(tar, tar->left);

	if (!err)
		err = skip(tar, tar->padding);
	tar->left = tar->padding = 0;
	if (!err)
		err = find_file(tar, &extension, ret_found);
	str_release(&extension.name);
	return err;
}

struct error *tar_read(struct tar *tar, void *buffer, size_t size,
                       size_t *ret_size)
{
	uint64_t got = 0;
	struct error *err;

	if (size > tar->left)
		size = (size_t)tar->left;
	err = tar->read(tar->context, buffer, size, &got);
	tar->left -= got;
	*ret_size = (size_t)got;
	return err || got == size ? err : truncated();
}

void tar_release(struct tar *tar)
{
	str_release(&tar->full_name);
	*tar = (struct tar){ 0 };
}
