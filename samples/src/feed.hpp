// A feed of pictures and the entries it is made of.
#pragma once

#include "reader.hpp"

namespace demo {

struct Entry {
	u32 identifier;
	u32 flags;
	const u8 *body;
	size length;
};

class Feed {
public:
	explicit Feed(const char *name) : name_(name), total_(0) {}
	virtual ~Feed();

	int load(const Entry *entries, size count);
	u32 checksum() const;

protected:
	virtual int process(const Entry &entry);
	u32 decode(const Entry &entry);

private:
	const char *name_;
	u64 total_;
};

class ArchivedFeed : public Feed {
public:
	using Feed::Feed;

protected:
	int process(const Entry &entry) override;
};

} // namespace demo
