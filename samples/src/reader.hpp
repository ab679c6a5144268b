// Reading numbers out of bytes; every call is inlined where it stands, as in
// a release build, and shows up as a frame of its own.
#pragma once

#include "types.h"

namespace demo {

class Reader {
public:
	Reader(const u8 *data, size length) : at_(data), left_(length) {}

	template <typename T> ALWAYS_INLINE T take()
	{
		T value = load<T>(at_);
		skip(sizeof(T));
		return value;
	}

	ALWAYS_INLINE void skip(size count)
	{
		at_ += count;
		left_ -= count;
	}

	bool atEnd() const { return left_ == 0; }

private:
	template <typename T> static ALWAYS_INLINE T load(const u8 *from)
	{
		T value = 0;
		for (size i = 0; i < sizeof(T); i++)
			value |= static_cast<T>(from[i]) << (8 * i);
		return value;
	}

	const u8 *at_;
	size left_;
};

} // namespace demo
