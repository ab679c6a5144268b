#include "feed.hpp"
#include "checksum.h"

namespace demo {

Feed::~Feed() {}

NEVER_INLINE u32 Feed::decode(const Entry &entry)
{
	Reader reader(entry.body, entry.length);
	u32 width = reader.take<u16>();
	u32 height = reader.take<u16>();
	u32 kind = reader.take<u32>();
	return width * height ^ kind;
}

NEVER_INLINE int Feed::process(const Entry &entry)
{
	u32 size = decode(entry);
	if (entry.flags & 1)
		size += checksum_block(entry.body, entry.length);
	total_ += size;
	return size != 0;
}

NEVER_INLINE int Feed::load(const Entry *entries, size count)
{
	int loaded = 0;
	for (size i = 0; i < count; i++)
		loaded += process(entries[i]);
	return loaded;
}

u32 Feed::checksum() const
{
	return checksum_text(name_) + static_cast<u32>(total_);
}

NEVER_INLINE int ArchivedFeed::process(const Entry &entry)
{
	auto unpacked = [&](u32 mask) {
		Entry copy = entry;
		copy.flags &= ~mask;
		return Feed::process(copy);
	};
	return unpacked(1) + 1;
}

} // namespace demo

extern "C" int demo_feed_open(const char *name, const demo::Entry *entries,
                              size count)
{
	demo::ArchivedFeed feed(name);
	int loaded = feed.load(entries, count);
	return loaded + (feed.checksum() & 1);
}
