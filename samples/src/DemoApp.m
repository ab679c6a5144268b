// The app object. There is no Foundation here: a root class of our own, and
// the runtime's functions are left to the dynamic linker.
#import "types.h"

struct demo_entry {
	u32 identifier;
	u32 flags;
	const u8 *body;
	size length;
};

int demo_feed_open(const char *name, const struct demo_entry *entries,
                   size count);
int UIApplicationMain(int argc, char **argv, void *principal, void *delegate);
void dispatch_async(void *queue, void (^block)(void));

__attribute__((objc_root_class))
@interface DemoApp
+ (DemoApp *)sharedApp;
- (int)runWithCount:(int)argc arguments:(char **)argv;
- (int)openFeed:(const char *)name;
- (void)refresh;
@end

@interface DemoApp (Pictures)
- (int)pictureAtIndex:(size)index;
@end

static const u8 picture_bytes[] = { 64, 0, 48, 0, 1, 0, 0, 0 };

static struct demo_entry entry_at(size index)
{
	struct demo_entry entry = {
		.identifier = (u32)index,
		.flags = index & 1,
		.body = index ? picture_bytes : 0,
		.length = sizeof(picture_bytes),
	};
	return entry;
}

@implementation DemoApp
static DemoApp *shared;

+ (DemoApp *)sharedApp
{
	return shared;
}

- (int)runWithCount:(int)argc arguments:(char **)argv
{
	[self refresh];
	int status = UIApplicationMain(argc, argv, 0, 0);
	return status + 1;
}

- (int)openFeed:(const char *)name
{
	struct demo_entry entries[2] = { entry_at(0), entry_at(1) };
	int loaded = demo_feed_open(name, entries, 2);
	return loaded + [self pictureAtIndex:1];
}

- (void)refresh
{
	const char *name = "pictures";
	dispatch_async(0, ^{
		int opened = [self openFeed:name];
		if (!opened)
			[self refresh];
	});
}

@end

@implementation DemoApp (Pictures)

- (int)pictureAtIndex:(size)index
{
	struct demo_entry entry = entry_at(index);
	return entry.body[0] + (int)entry.flags;
}

@end

int demo_app_main(int argc, char **argv)
{
	int status = [[DemoApp sharedApp] runWithCount:argc arguments:argv];
	return status - 1;
}
