// Inlined into every unit: code of another file inside a unit's functions.
#pragma once

typedef unsigned char u8;
typedef unsigned int u32;
typedef unsigned long long u64;

extern "C" u32 outside(u32);
extern "C" void *outside_pointer(void *);

namespace shared {

inline __attribute__((always_inline)) u32 rotate(u32 value, u32 by)
{
	return value << (by & 31) | value >> ((32 - by) & 31);
}

inline __attribute__((always_inline)) u32 mix(u32 a, u32 b)
{
	u32 turned = rotate(a, 7);
	if (turned & 1)
		turned += outside(b);
	return turned ^ rotate(b, 13);
}

template <typename T> struct Range {
	T low, high;

	T width() const { return high - low; }
	bool covers(T value) const { return value >= low && value < high; }
	template <typename F> T each(F visit) const
	{
		T sum = 0;
		for (T value = low; value < high; value++)
			sum += visit(value);
		return sum;
	}
};

// Weak and without the token: every unit has it, the linker keeps one.
inline __attribute__((noinline)) u32 kept_once(u32 value)
{
	Range<u32> range = { value, value + 3 };
	return range.each([](u32 at) { return mix(at, 5); });
}

} // namespace shared
