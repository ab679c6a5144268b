#include "checksum.h"

struct sums {
	u32 low;
	u32 high;
};

static ALWAYS_INLINE u32 fold(u32 sum)
{
	return (sum & 0xffff) + (sum >> 16);
}

static ALWAYS_INLINE void add_word(struct sums *sums, const u8 *data)
{
	sums->low = fold(sums->low + (u32)(data[0] | data[1] << 8));
	sums->high = fold(sums->high + sums->low);
}

u32 checksum_block(const u8 *data, size length)
{
	struct sums sums = { 0xffff, 0xffff };
	for (size i = 0; i + 1 < length; i += 2)
		add_word(&sums, data + i);
	if (length & 1) {
		u8 last[2] = { data[length - 1], 0 };
		add_word(&sums, last);
	}
	return sums.high << 16 | sums.low;
}

static size text_length(const char *text)
{
	size length = 0;
	while (text[length])
		length++;
	return length;
}

u32 checksum_text(const char *text)
{
	return checksum_block((const u8 *)text, text_length(text));
}
