// DemoKit: scales pictures on a thread of its own.
#include "types.h"

namespace demokit {

struct Pixel {
	u8 red, green, blue, alpha;

	ALWAYS_INLINE u32 weight() const { return red * 3 + green * 6 + blue; }
};

template <unsigned Channels> class Picture {
public:
	Picture(Pixel *pixels, u32 width, u32 height)
	    : pixels_(pixels), width_(width), height_(height)
	{
	}

	ALWAYS_INLINE Pixel &at(u32 x, u32 y)
	{
		return pixels_[y * width_ + x];
	}

	NEVER_INLINE u32 row(u32 y)
	{
		u32 sum = 0;
		for (u32 x = 0; x < width_; x++)
			sum += at(x, y).weight();
		return sum / Channels;
	}

	NEVER_INLINE u32 scale(u32 factor)
	{
		u32 total = 0;
		for (u32 y = 0; y < height_; y += factor)
			total += row(y);
		return total;
	}

private:
	Pixel *pixels_;
	u32 width_, height_;
};

namespace {

NEVER_INLINE u32 scaleAll(Picture<3> *pictures, size count)
{
	u32 total = 0;
	for (size i = 0; i < count; i++)
		total += pictures[i].scale(2);
	return total;
}

} // namespace

struct Work {
	Picture<3> *pictures;
	size count;
	volatile u32 *result;
};

class Scaler {
public:
	virtual void run(Work &work);
	bool operator()(Work &work);
};

NEVER_INLINE void Scaler::run(Work &work)
{
	*work.result = scaleAll(work.pictures, work.count);
}

NEVER_INLINE bool Scaler::operator()(Work &work)
{
	run(work);
	return *work.result != 0;
}

} // namespace demokit

extern "C" void *demokit_thread(void *argument)
{
	demokit::Scaler scaler;
	bool done = scaler(*static_cast<demokit::Work *>(argument));
	return done ? argument : nullptr;
}
