// SPDX-License-Identifier: MIT
#include "lib/model/app_image.h"

#include "lib/base/text.h"
#include "lib/darwin/platforms.h"

#include <string.h>

/** iOS reports write a path with `/private` or without, in one text. */
static struct text public_path(const char *path)
{
	struct text text = text_from(path);

	if (text_starts(text, "/private/"))
		text = text_after(text, strlen("/private"));
	return text;
}

/** Do both begin alike? Paths in one bundle do. */
static bool begin_alike(struct text a, struct text b)
{
	const size_t size = strlen(".app/");

	return a.size >= size && b.size >= size &&
	       !memcmp(a.data, b.data, size);
}

/** The outermost bundle of @p path with its `/`; or empty. */
static struct text bundle_of(struct text path)
{
	static const char *const endings[] = { ".app/", ".appex/" };

	for (size_t i = 0; i < ARRAY_SIZE(endings); i++) {
		size_t at = text_find(path, endings[i]);

		if (at != TEXT_NOWHERE)
			return text_first(path, at + strlen(endings[i]));
	}
	return TEXT_NONE;
}

static bool is_system_path(struct text path)
{
	static const char *const directories[] = {
		"/System/",    "/usr/lib/", "/usr/libexec/", "/usr/bin/",
		"/usr/sbin/",  "/bin/",     "/sbin/",        "/Library/Apple/",
		"/Developer/", "/preboot/",
	};

	for (size_t i = 0; i < ARRAY_SIZE(directories); i++)
		if (text_starts(path, directories[i]))
			return true;
	// The simulator's copy of the system, and Xcode's of a device's.
	return text_find(path, ".simruntime/") != TEXT_NOWHERE ||
	       text_find(path, " DeviceSupport/") != TEXT_NOWHERE;
}

/** Apple's Swift runtime, which apps for old systems include. */
static bool is_swift_runtime(struct text path)
{
	size_t slash = text_find_last_char(path, '/');

	return slash != TEXT_NOWHERE &&
	       text_starts(text_after(path, slash + 1), "libswift") &&
	       text_ends(path, ".dylib");
}

/**
 * The simulator's system is on a disk image; of hidden paths only the volume
 * remains. An app on a volume may load its own libraries from there.
 */
static bool is_on_simulator_volume(struct text path,
                                   const struct app_process *process)
{
	static const char volume[] = "/Volumes/VOLUME/*/";
	struct text own = text_from(process->path);

	return text_starts(path, volume) &&
	       !text_starts(own, "/Volumes/VOLUME/") &&
	       (darwin_platform_is_simulator(process->platform) ||
	        text_find(own, "/CoreSimulator/Devices/") != TEXT_NOWHERE ||
	        text_find(own, "/XCTestDevices/") != TEXT_NOWHERE);
}

bool app_image_is_system(const char *path, const struct app_process *process)
{
	struct text text = public_path(path);

	return is_system_path(text) ||
	       (process->path && is_on_simulator_volume(text, process));
}

bool app_image_is_own(const struct app_image *image,
                      const struct app_process *process)
{
	struct text path;
	struct text own;
	struct text bundle;

	if (image->rule != APP_RULE_NONE)
		return image->rule == APP_RULE_OWN;
	if (!image->path || !process->path) {
		if (image->name && process->name &&
		    !strcmp(image->name, process->name))
			return true;
		if (!image->path)
			return !process->path && image->own;
	}
	path = public_path(image->path);
	// Cheap tests of the path's beginning first: called for each image of
	// each report.
	if (!process->path)
		return !is_system_path(path) && !is_swift_runtime(path) &&
		       bundle_of(path).size;
	if (is_swift_runtime(path))
		return false;
	own = public_path(process->path);
	if (text_equal(path, own))
		return true;
	bundle = begin_alike(path, own) ? bundle_of(own) : TEXT_NONE;
	if (bundle.size && path.size > bundle.size &&
	    text_equal(text_first(path, bundle.size), bundle))
		return true;
	if (is_on_simulator_volume(path, process))
		return false;
	return (text_starts(path, "/") || text_starts(path, "*/")) &&
	       !is_system_path(path) &&
	       (darwin_platform_is_mac(process->platform) ||
	        text_find(path, "/*/") != TEXT_NOWHERE);
}
