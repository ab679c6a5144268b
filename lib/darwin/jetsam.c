// SPDX-License-Identifier: MIT
#include "lib/darwin/jetsam.h"

#include <string.h>

#define ADVICE_OWN \
	"find out what uses its memory, with Instruments or a memory graph"
#define ADVICE_PRESSURE \
	"look at the largest processes: the victim was only next in line"
#define ADVICE_FILES "look for open files and sockets that are never closed"
#define ADVICE_ZONE                                           \
	"look at the largest zone and at what allocates its " \
	"objects"

// Two causes changed their name with xnu 4903: both names are here.
static const struct jetsam_cause causes[] = {
	{ "jettisoned", 1, JETSAM_BLAME_NONE,
	  "for a cause that the kernel does not name", NULL },
	{ "highwater", 2, JETSAM_BLAME_OWN,
	  "it was over the soft limit of its band",
	  "use less memory when idle: free caches and data that can be "
	  "reloaded" },
	{ "vnode-limit", 3, JETSAM_BLAME_LEAK,
	  "the system had too many open files", ADVICE_FILES },
	{ "vm-pageshortage", 4, JETSAM_BLAME_PRESSURE,
	  "the system ran short of free pages", ADVICE_PRESSURE },
	{ "proc-thrashing", 5, JETSAM_BLAME_PRESSURE,
	  "the memory compressor thrashed, and the kernel blames it",
	  "look at the memory it accesses repeatedly, then at the largest "
	  "processes" },
	{ "vm-thrashing", 5, JETSAM_BLAME_PRESSURE,
	  "the memory compressor thrashed", ADVICE_PRESSURE },
	{ "fc-thrashing", 6, JETSAM_BLAME_PRESSURE,
	  "the file cache thrashed: too much mapped or cached file data",
	  "look for large mapped files that are read repeatedly" },
	{ JETSAM_HARD_LIMIT, 7, JETSAM_BLAME_OWN,
	  "it exceeded its own hard limit", ADVICE_OWN },
	{ "disk-space-shortage", 8, JETSAM_BLAME_NONE,
	  "the device was short of storage", NULL },
	{ "diagnostic", 8, JETSAM_BLAME_NONE,
	  "the kernel was in its diagnostic mode", NULL },
	{ "idle-exit", 9, JETSAM_BLAME_NONE,
	  "it was idle and clean, which is routine", NULL },
	{ "zone-map-exhaustion", 10, JETSAM_BLAME_LEAK,
	  "the kernel's zone map was full, and it used most of it",
	  ADVICE_ZONE },
	{ "vm-compressor-thrashing", 11, JETSAM_BLAME_PRESSURE,
	  "the memory compressor thrashed", ADVICE_PRESSURE },
	{ "vm-compressor-space-shortage", 12, JETSAM_BLAME_PRESSURE,
	  "the memory compressor was full", ADVICE_PRESSURE },
	{ "low-swap", 13, JETSAM_BLAME_PRESSURE, "swap space ran low",
	  ADVICE_PRESSURE },
	{ "sustained-memory-pressure", 14, JETSAM_BLAME_PRESSURE,
	  "the system was short of memory for a long time", ADVICE_PRESSURE },
	{ "vm-pageout-starvation", 15, JETSAM_BLAME_PRESSURE,
	  "pages could not be written out fast enough", ADVICE_PRESSURE },
	// The public kernel has an empty name here.
	{ "conclave-limit", 16, JETSAM_BLAME_OWN,
	  "its exclave exceeded its memory limit", NULL },
	{ "long-idle-exit", 17, JETSAM_BLAME_NONE,
	  "it was idle for a long time, which is routine", NULL },
	// Of old systems, and not about memory.
	{ "cpu-limit", 100, JETSAM_BLAME_OWN, "it used too much CPU",
	  "profile its CPU usage" },
};

const struct jetsam_cause *jetsam_cause_find(const char *reason)
{
	for (size_t i = 0; reason && i < ARRAY_SIZE(causes); i++)
		if (!strcmp(reason, causes[i].reason))
			return &causes[i];
	return NULL;
}

#define NO_BAND (-1000)

static const struct {
	int old_band;
	int new_band;
	const char *name;
} bands[] = {
	{ -2, -2, "idle head" },
	{ 0, 0, "idle" },
	{ 1, 10, "aging 1" },
	{ NO_BAND, 15, "aging 1, stuck" },
	{ 2, 20, "aging 2" },
	{ 3, 30, "background" },
	{ 4, 40, "mail" },
	{ 5, 50, "phone" },
	{ NO_BAND, 75, "freezer" },
	{ 8, 80, "UI support" },
	{ 9, 90, "foreground support" },
	{ 10, 100, "foreground app" },
	{ 12, 120, "audio and accessory" },
	{ 13, 130, "conductor" },
	{ 15, 150, "driver" },
	{ 16, 160, "home" },
	{ 17, 170, "executive" },
	{ 18, 180, "important" },
	{ 19, 190, "critical" },
	{ 21, 210, "maximum" },
	{ NO_BAND, 999, "internal" },
};

/** Ascending, each more than the slack below apart. */
static const struct {
	uint64_t limit_mib;
	const char *extensions;
} extensions[] = {
	// openradar 27660401; heiher/hev-socks5-tunnel#109
	{ 15, "packet tunnels (iOS 10 to 14)" },
	// nextcloud/talk-ios#1223: "ActiveHard 24 MB (fatal)"
	{ 24, "notification services" },
	// Feedback FB8832751
	{ 30, "widgets" },
	// wanliyunyan/xray_ios#19: "ActiveHard 50 MB (fatal)";
	// danielpaulus/go-ios#513
	{ 50, "packet tunnels (since iOS 15) and broadcasts" },
};

/** So far above its limit a process is caught, in percent. */
#define CAUGHT_PERCENT 4

const char *jetsam_extensions_with(uint64_t limit_bytes)
{
	for (size_t i = 0; i < ARRAY_SIZE(extensions); i++) {
		uint64_t limit = extensions[i].limit_mib << 20;

		if (limit_bytes >= limit &&
		    limit_bytes <= limit + limit / 100 * CAUGHT_PERCENT)
			return extensions[i].extensions;
	}
	return NULL;
}

const char *jetsam_band_name(int priority, bool new_scale)
{
	for (size_t i = 0; i < ARRAY_SIZE(bands); i++)
		if (priority ==
		    (new_scale ? bands[i].new_band : bands[i].old_band))
			return bands[i].name;
	return NULL;
}

bool jetsam_is_name(const char *in_log, const char *name)
{
	size_t size = in_log ? strlen(in_log) : 0;

	if (!size || !name || strncmp(name, in_log, size) != 0)
		return false;
	// The kernel's max may or may not include the NUL.
	return !name[size] || size == 15 || size == 16 || size >= 31;
}

bool jetsam_band_is_foreground(int priority, bool new_scale)
{
	return priority == (new_scale ? 100 : 10);
}
